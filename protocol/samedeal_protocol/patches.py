"""Patches: what changed between two redacted views of one board."""

from collections.abc import Sequence

from samedeal_protocol.updates import Piles, PilesPatch


class PatchError(ValueError):
    """A patch does not fit the view that it is applied to."""


def diff(before: Piles, after: Piles) -> dict[str, tuple[int, list[str]]]:
    """The patch from `before` to `after`, which have the same piles.

    `keep` is the longest common prefix of the two piles; piles that look the
    same are not in the patch.
    """
    patch: dict[str, tuple[int, list[str]]] = {}
    for name, cards in after.items():
        old = before[name]
        if old != cards:
            keep = _common_prefix(old, cards)
            if keep < max(len(old), len(cards)):
                patch[name] = (keep, list(cards[keep:]))
    return patch


def apply(view: Piles, patch: PilesPatch) -> dict[str, list[str]]:
    """The piles of `view` with `patch` applied; `view` itself is left alone.

    Raises:
        PatchError: the patch names a pile that is not there, or keeps more
            cards than the pile has.
    """
    piles = {name: list(cards) for name, cards in view.items()}
    for name, (keep, cards) in patch.items():
        if name not in piles:
            raise PatchError(f"The patch names pile {name!r}, which is not there.")
        if not 0 <= keep <= len(piles[name]):
            raise PatchError(
                f"The patch keeps {keep} cards of pile {name}, "
                f"which has {len(piles[name])}."
            )
        piles[name][keep:] = cards
    return piles


def _common_prefix(a: Sequence[str], b: Sequence[str]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
