"""Race on samedeal from a program: people, bots, and whatever watches them.

```python
import samedeal

async with samedeal.connect("http://127.0.0.1:8765", name="Ada", bot=True) as client:
    race = await client.create("juvenile", bots=["greedy"])
    await race.ready()
    await race.started()
    while moves := race.board.legal_moves():
        await race.move(moves[0])
    for line in await race.ended():
        print(line)
```
"""

from samedeal.boards import Board
from samedeal.client import Client
from samedeal.connecting import connect
from samedeal.errors import (
    BadMessage,
    BadMove,
    BadName,
    BadSettings,
    BadToken,
    CannotConnect,
    Closed,
    FellBehind,
    Finished,
    HelloFirst,
    IllegalMove,
    Internal,
    NoAnswer,
    NotEnded,
    NothingToUndo,
    NotHost,
    NotInRace,
    NotStarted,
    RaceFull,
    RaceStarted,
    RateLimited,
    Replaced,
    SamedealError,
    StaleTurn,
    TooManyRaces,
    TooManyUnanswered,
    Unavailable,
    UndoRefused,
    UnknownGame,
    UnknownLevel,
    UnknownRace,
    UnknownVariant,
)
from samedeal.feed import Updates
from samedeal.logs import fetch_log
from samedeal.race import Race
from samedeal.standings import Standing
from samedeal_games import Move
from samedeal_protocol.updates import (
    Analysis,
    GameInfo,
    Hint,
    OpenRace,
    Patch,
    Progress,
    RaceInfo,
    SeatAnalysis,
    SeatInfo,
    View,
)


__all__ = [
    "Analysis",
    "BadMessage",
    "BadMove",
    "BadName",
    "BadSettings",
    "BadToken",
    "Board",
    "CannotConnect",
    "Client",
    "Closed",
    "FellBehind",
    "Finished",
    "GameInfo",
    "HelloFirst",
    "Hint",
    "IllegalMove",
    "Internal",
    "Move",
    "NoAnswer",
    "NotEnded",
    "NotHost",
    "NotInRace",
    "NotStarted",
    "NothingToUndo",
    "OpenRace",
    "Patch",
    "Progress",
    "Race",
    "RaceFull",
    "RaceInfo",
    "RaceStarted",
    "RateLimited",
    "Replaced",
    "SamedealError",
    "SeatAnalysis",
    "SeatInfo",
    "StaleTurn",
    "Standing",
    "TooManyRaces",
    "TooManyUnanswered",
    "Unavailable",
    "UndoRefused",
    "UnknownGame",
    "UnknownLevel",
    "UnknownRace",
    "UnknownVariant",
    "Updates",
    "View",
    "connect",
    "fetch_log",
]
