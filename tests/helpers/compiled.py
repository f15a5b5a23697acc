"""Whether the package under test is the compiled one; see `hatch_build.py`."""

import pytest

from samedeal_games import play


is_compiled = not str(play.__file__).endswith(".py")

interpreted_only = pytest.mark.skipif(
    is_compiled, reason="compiled code can neither be replaced nor be looked into"
)
