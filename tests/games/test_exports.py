import re
import runpy
from pathlib import Path

import pytest

import samedeal_games


def test_the_public_names() -> None:
    assert samedeal_games.__all__ == [
        "GAMES", "HIDDEN", "LEVELS", "MAX_NODES", "SEED_BYTES", "Adviser", "Card",
        "Game", "GameError", "Hindsight", "Hint", "IllegalMoveError",
        "InvalidMoveError", "InvalidSeedError", "InvalidViewError", "Move",
        "Opponent", "Outcome", "Shift", "Solution", "State", "Take",
        "UnknownGameError", "UnknownLevelError", "UnknownVariantError",
        "Variant", "Verdict", "apply_move", "card_name", "card_text",
        "check_move", "choose", "count_moves", "deal", "exposes",
        "find_variant", "from_view", "has_move", "hindsight", "hint",
        "is_legal", "left", "legal_moves", "opponent", "outcome", "parse_card",
        "parse_move", "parse_seed", "replay_moves", "solve", "status", "view",
        "view_patch",
    ]  # fmt: skip
    for name in samedeal_games.__all__:
        assert hasattr(samedeal_games, name)


def test_the_readme_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = Path(__file__).parents[2] / "games" / "README.md"
    codes = re.findall(r"```python\n(.*?)```", readme.read_text("utf-8"), re.DOTALL)
    for code, printed in zip(codes, ("playing", "Verdict.LOST"), strict=True):
        example = tmp_path / "example.py"
        example.write_text(code, "utf-8")
        runpy.run_path(str(example))
        assert printed in capsys.readouterr().out
