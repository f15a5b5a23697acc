"""The modules that the compiled wheel has as C; `.ci/run` builds and tests it."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest
from hatch_build import compile_in


ROOT = Path(__file__).parents[1]
_WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text())
_WHEEL = _WHEEL["tool"]["hatch"]["build"]["targets"]["wheel"]
MODULES: list[str] = _WHEEL["hooks"]["custom"]["modules"]


def sources(module: str) -> list[Path]:
    """Where the modules that a pattern stands for lie."""
    return [path for p in _WHEEL["packages"] for path in (ROOT / p).parent.glob(module)]


@pytest.mark.parametrize("module", MODULES)
def test_what_the_compiler_does_otherwise_is_in_none_of_them(module: str) -> None:
    """A compiled coroutine that waits while it handles an exception leaves that to
    all others as their context; what a class says to its metaclass (to be frozen) is
    lost; and two exceptions of one name in a function must be of one type."""
    found = sources(module)
    assert found
    for path in found:
        for node in ast.walk(ast.parse(path.read_text())):
            waits = isinstance(node, ast.AsyncFunctionDef | ast.Await)
            says = isinstance(node, ast.ClassDef) and node.keywords
            caught = [
                handler.name
                for handler in ast.walk(node)
                if isinstance(node, ast.FunctionDef)
                and isinstance(handler, ast.ExceptHandler)
                and handler.name
            ]
            same = len(caught) > len(set(caught))
            assert not (waits or says or same), f"{path}: {ast.unparse(node)[:60]}"


def test_a_module_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", sys.executable)  # Here it compiles nothing.
    with pytest.raises(ValueError, match=r"no module to compile is 'nowhere/\*\.py'"):
        compile_in(tmp_path, ["nowhere/*.py"])


def test_without_a_compiler_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "one.py").touch()
    with pytest.raises(SystemExit, match="There is no C compiler here"):
        compile_in(tmp_path, ["one.py"])
