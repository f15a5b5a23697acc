"""How a command fails: one sentence, and never a traceback."""


class Failure(Exception):
    """The command cannot do what was asked, though it was asked well.

    The message is one sentence that says what to do; it goes to standard error,
    and the exit status is 1. Bad use is `typer.BadParameter` instead: status 2.
    """
