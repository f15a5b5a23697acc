"""The command's entry: runs it, and turns every failure into one line."""

import io
import os
import sys
from collections.abc import Sequence
from typing import cast

import typer

from samedeal_cli.app import app
from samedeal_cli.errors import Failure


def main() -> None:
    """Run the command that was typed and leave with its exit status."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # Closed by whoever started us.
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, for good
    # A name that does not fit the terminal's encoding is no reason to fail.
    cast("io.TextIOWrapper", sys.stdout).reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; return its exit status.

    0 all right, 1 it could not be done, 2 bad use, 130 interrupted. Whatever is
    wrong is one line on standard error; a reader of our output that goes away is 1
    without a word.
    """
    try:
        status = app(arguments, prog_name="samedeal", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        command = getattr(getattr(error, "ctx", None), "command_path", "samedeal")
        _complain(f"{error.format_message()}; see {command} --help")
        return error.exit_code
    except Failure as failure:
        _complain(str(failure))
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does. Python flushes once more
        # on its way out, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        _complain("That takes more memory than there is.")
        return 1
    except OSError as error:
        _complain(f"{error.strerror or error}.")  # A full disk, as like as not.
        return 1
    except SystemExit:
        # A reader that has gone, met by typer, which has seen to the flush.
        return 1
    return status if isinstance(status, int) else 0


def _complain(message: str) -> None:
    line = " ".join(message.split()).replace(".; see", "; see")
    print(f"samedeal: {line}", file=sys.stderr)


if __name__ == "__main__":
    main()
