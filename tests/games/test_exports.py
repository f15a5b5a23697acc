import re
import runpy
from pathlib import Path

import pytest

import samedeal_games


def test_the_public_names() -> None:
    assert samedeal_games.__all__ == [
        "GAMES", "HIDDEN", "LEVELS", "SEED_BYTES", "Card", "Game", "GameError",
        "IllegalMoveError", "InvalidMoveError", "InvalidSeedError", "InvalidViewError",
        "Move", "Outcome", "Shift", "State", "Take", "UnknownGameError",
        "UnknownLevelError", "UnknownVariantError", "Variant", "apply_move",
        "card_name", "card_text", "check_move", "choose", "count_moves", "deal",
        "exposes", "find_variant", "from_view", "has_move", "is_legal", "left",
        "legal_moves", "outcome", "parse_card", "parse_move", "parse_seed", "status",
        "view", "view_patch",
    ]  # fmt: skip
    for name in samedeal_games.__all__:
        assert hasattr(samedeal_games, name)


def test_the_readme_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readme = Path(__file__).parents[2] / "games" / "README.md"
    [code] = re.findall(r"```python\n(.*?)```", readme.read_text("utf-8"), re.DOTALL)
    example = tmp_path / "example.py"
    example.write_text(code, "utf-8")
    runpy.run_path(str(example))
    assert "playing" in capsys.readouterr().out
