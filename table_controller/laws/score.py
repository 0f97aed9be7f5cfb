"""The duplicate score of a contract (L77). Must never round, and knows nothing of matchpoints or IMPs."""

from __future__ import annotations

from table_controller.laws.auction import Doubling
from table_controller.laws.call import Denomination
from table_controller.laws.contract import Contract

_MINORS = (Denomination.C, Denomination.D)


def score_of(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Points to declarer's partnership for `tricks` (0 to 13) won; negative when the contract is down.

    A pass-out scores nought and has no contract. Raises ValueError for a number of tricks there is not.
    """
    if not 0 <= tricks <= 13:
        raise ValueError(f"declarer wins 0 to 13 tricks, not {tricks}")
    over = tricks - contract.tricks_needed
    if over < 0:
        return -_undertricks(-over, contract.doubled, vulnerable=vulnerable)
    points = _trick_points(contract)
    return points + _bonuses(contract, points, vulnerable) + _overtricks(contract, over, vulnerable)


def _trick_points(contract: Contract) -> int:
    level = contract.bid.level
    match contract.trump:
        case Denomination.C | Denomination.D:
            points = 20 * level
        case Denomination.H | Denomination.S:
            points = 30 * level
        case Denomination.NT:
            points = 30 * level + 10
    return points * _factor(contract.doubled)


def _factor(doubled: Doubling) -> int:
    return {Doubling.UNDOUBLED: 1, Doubling.DOUBLED: 2, Doubling.REDOUBLED: 4}[doubled]


def _bonuses(contract: Contract, points: int, vulnerable: bool) -> int:
    bonus = (500 if vulnerable else 300) if points >= 100 else 50
    if contract.bid.level == 6:
        bonus += 750 if vulnerable else 500
    if contract.bid.level == 7:
        bonus += 1500 if vulnerable else 1000
    return bonus + {Doubling.UNDOUBLED: 0, Doubling.DOUBLED: 50, Doubling.REDOUBLED: 100}[contract.doubled]


def _overtricks(contract: Contract, over: int, vulnerable: bool) -> int:
    if contract.doubled is Doubling.UNDOUBLED:
        return over * (20 if contract.trump in _MINORS else 30)
    return over * (200 if vulnerable else 100) * (_factor(contract.doubled) // 2)


def _undertricks(down: int, doubled: Doubling, *, vulnerable: bool) -> int:
    if doubled is Doubling.UNDOUBLED:
        return down * (100 if vulnerable else 50)
    first, second, third = (200, 300, 300) if vulnerable else (100, 200, 200)
    points = first + second * min(down - 1, 1) + third * min(max(down - 2, 0), 1) + 300 * max(down - 3, 0)
    return points * (_factor(doubled) // 2)
