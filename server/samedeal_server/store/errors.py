"""What can go wrong with the store, each with a sentence for a person."""


class StoreError(Exception):
    """Anything the store reports; the message is one sentence that can be shown."""


class StoreUnavailable(StoreError):
    """The store could not answer in time; what was asked may or may not have happened.

    Ask again later. The message says what was seen.
    """


class NotSent(StoreUnavailable):
    """Nothing was sent, so nothing happened: the call may be made again."""


class Unanswered(StoreUnavailable):
    """The call was sent and no answer came: it may have happened or not."""


class LogUnavailable(StoreUnavailable):
    """A race's log could not be read in time."""


class StoreUnreachable(StoreError):
    """The store cannot be used at all as configured; the message says what to do."""


class DataError(StoreError):
    """The data directory of the embedded store cannot be used."""


class DataInUse(DataError):
    """Another server has the data directory; the message names the process."""
