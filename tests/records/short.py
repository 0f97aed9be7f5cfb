"""Short ways to read a text and to say what was read."""

from hw_sim.records import Game, RecordedGame, RefusedGame, read_text

HEAD = '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
DEAL = '[Deal "N:Q432.A9.AK75.Q63 KT865.T753.J84.K AJ7.J64.QT2.A852 9.KQ82.963.JT974"]\n'


def games(text: str) -> list[Game]:
    return list(read_text(text, "x.pbn"))


def game(text: str) -> RecordedGame:
    (found,) = games(text)
    assert isinstance(found, RecordedGame), found
    return found


def refused(text: str) -> RefusedGame:
    (found,) = games(text)
    assert isinstance(found, RefusedGame), found
    return found


def calls(found: Game) -> str:
    assert isinstance(found, RecordedGame), found
    return " ".join(str(made) for made in found.calls)


def cards(found: Game) -> str:
    assert isinstance(found, RecordedGame), found
    return " ".join(str(played) for played in found.play)
