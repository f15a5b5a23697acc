"""The compiled wheel: the modules that a busy server spends its time in, as C.

Off unless asked for, so that nobody needs a compiler:

    HATCH_BUILD_HOOKS_ENABLE=1 pip install '.[server]'

The modules are named in pyproject.toml. mypyc compiles the very source that runs
elsewhere, in a copy beside it: nothing is written where the source lies.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledModules(BuildHookInterface):  # type: ignore[type-arg]
    """Adds a shared library for each of the modules to a wheel.

    Configuration: `modules`, file names as they are in the wheel; "*" stands for any.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is built; an editable one stays as it is."""
        if version == "editable":
            return
        self._copy = tempfile.TemporaryDirectory(prefix="samedeal-")
        copy = pathlib.Path(self._copy.name)
        for package in self.build_config.packages:
            source = pathlib.Path(self.root, package)
            shutil.copytree(source, copy / source.name)
        compile_in(copy, self.config["modules"])
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update(
            {str(path): str(path.relative_to(copy)) for path in libraries(copy)}
        )

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Called when the wheel is there."""
        if version != "editable":
            self._copy.cleanup()


def compile_in(folder: pathlib.Path, patterns: list[str]) -> None:
    """Compile modules in place.

    Raises:
        SystemExit: there is no compiler; what to do.
        ValueError: a pattern matches none.
        subprocess.CalledProcessError: the compiler has said why.
    """
    # Looked for first: mypyc would come to it after a minute, in a traceback.
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        raise SystemExit(
            f"There is no C compiler here: {compiler.split()[0]!r} is not found. "
            "Install one, or leave HATCH_BUILD_HOOKS_ENABLE out: "
            "whatever works compiled works without."
        )
    files: list[str] = []
    for pattern in patterns:
        found = sorted(str(path.relative_to(folder)) for path in folder.glob(pattern))
        if not found:
            raise ValueError(f"pyproject.toml: no module to compile is {pattern!r}.")
        files += found
    command = [sys.executable, "-m", "mypyc", "--ignore-missing-imports", *files]
    environment = {"MYPYC_OPT_LEVEL": "3", **os.environ}
    subprocess.run(command, cwd=folder, env=environment, check=True)


def libraries(folder: pathlib.Path) -> list[pathlib.Path]:
    """What was made: a library for each module, and one that they share."""
    build = folder / "build"
    return [path for path in folder.rglob("*.so") if build not in path.parents]
