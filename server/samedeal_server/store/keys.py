"""The names of all keys. Everything of one race shares its hash tag, so that on
Redis Cluster it lives in one slot; so does everything of one player."""

DUE = "samedeal:due"
ENDED = "samedeal:ended"
LOBBY = "samedeal:lobby"
BELL = "samedeal:bell"
NODES = "samedeal:nodes"


def log(race: str) -> str:
    return f"samedeal:{{{race}}}:log"


def race_of(log: str) -> str:
    """The race whose log has this name."""
    return log[log.index("{") + 1 : log.index("}")]


def barrier(race: str) -> str:
    return f"samedeal:{{{race}}}:barrier"


def rematch(race: str) -> str:
    return f"samedeal:{{{race}}}:rematch"


def address(race: str, address: str) -> str:
    return f"samedeal:{{{race}}}:address:{address}"


def lease(race: str) -> str:
    return f"samedeal:{{{race}}}:lease"


def code(code: str) -> str:
    return f"samedeal:code:{code}"


def quick(game: str, variant: str) -> str:
    return f"samedeal:quick:{game}/{variant}"


def pool(game: str, variant: str) -> str:
    return f"samedeal:pool:{game}/{variant}"


def token(token_hash: str) -> str:
    return f"samedeal:token:{token_hash}"


def races(player: str) -> str:
    return f"samedeal:player:{{{player}}}:races"


def created(player: str, key: str) -> str:
    return f"samedeal:player:{{{player}}}:created:{key}"


def presence(player: str) -> str:
    return f"samedeal:player:{{{player}}}:presence"
