"""How a node stands with the store and with other nodes, for who asks at every move."""


class Contact:
    """One for each `Store`.

    Attributes:
        epoch: goes up when a connection to the store was lost or a slot moved: what
            was cached before must be verified by `Log.read` before it is used again.
        alone: no other node has shown itself lately, so that nobody else appends.
    """

    def __init__(self) -> None:
        self.epoch = 0
        self.alone = False
