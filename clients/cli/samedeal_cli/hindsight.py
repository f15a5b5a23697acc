"""What could have become of a race's deal, in words for a reader."""

from samedeal_cli.wording import counted
from samedeal_games import Outcome, Verdict
from samedeal_server.race.analysis import Analysis, Chance
from samedeal_server.race.seat import Seat


def about_deal(analysis: Analysis, max_nodes: int) -> str:
    """One sentence on the deal."""
    deal = analysis.deal
    match deal.verdict:
        case Verdict.WON:
            return "This deal can be cleared."
        case Verdict.LOST:
            at_best = counted(deal.left, "card")
            if deal.exact:
                return f"Nobody could clear this deal: {at_best} left at best."
            return (
                f"Nobody could clear this deal; the best line found leaves {at_best}, "
                "and there may be a better one."
            )
        case Verdict.UNKNOWN:
            return (
                f"Unknown whether this deal can be cleared: a search of "
                f"{counted(max_nodes, 'node')} does not tell. The best line found "
                f"leaves {counted(deal.left, 'card')}."
            )


def about_seat(seat: Seat, chance: Chance | None) -> str:
    """One sentence on what the seat made of the deal, for after its name."""
    if seat.outcome is Outcome.WON:
        return "cleared it."
    cards = counted(seat.left, "card")
    if chance is None:
        return f"left {cards}."
    if chance.turn is None:
        return f"left {cards}; unknown whether it could clear the deal."
    if chance.lost_by is not None:
        turn, move = chance.turn, chance.lost_by
        return f"could clear it until turn {turn}, and lost it there by {move}."
    if chance.certain:
        return f"could still clear it at the end, turn {chance.turn}."
    return f"could clear it at turn {chance.turn}; unknown whether later."
