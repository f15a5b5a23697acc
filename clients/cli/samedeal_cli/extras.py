"""What is only there with `samedeal[server]`."""

import contextlib
from collections.abc import Generator

from samedeal_cli.errors import Failure


@contextlib.contextmanager
def server_extra(command: str) -> Generator[None]:
    """Import what needs the server's packages in here.

    Raises:
        Failure: they are not installed, and how to do it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("samedeal"):
            raise
        missing = error.name.partition(".")[0]
        raise Failure(
            f"`{command}` needs the server's packages, and {missing} is not "
            "installed: pip install 'samedeal[server]'"
        ) from None
