"""What page and bench say to each other: every path, every message, as typed shapes.

A browser's page is the only other side. All shapes are strict: an unknown key is refused with one sentence
that names it. Must never hold a word that is shown to people, nor anything a half-table view may not see in
one of its own shapes (`NearFrame`, `NearDeed`).

| path | method | takes | gives |
|---|---|---|---|
| `/` | GET | | the page of the whole table (`pages/bench.html`) |
| `/half/NE`, `/half/SW` | GET | | the page of one face (`pages/half.html`) |
| `/static/...` | GET | | files of `static/` |
| `/ws` | WebSocket | | first `Hello`, then `TableNews`, `SessionNews`, `InsideNews`, `LogNews` as they come |
| `/half/NE/ws`, `/half/SW/ws` | WebSocket | | a `NearFrame` every tenth of a second, changed or not |
| `/half/NE/deed`, `/half/SW/deed` | POST | `NearDeed` | `Taken` (202) at once, or `Problem` |
| `/api/choices` | GET | | `Choices` |
| `/api/diagram` | GET | `?regulations=ID` | `Diagram` |
| `/api/deed` | POST | `DeedOrder` | `Done` when it is done, or `Problem` |
| `/api/control` | POST | `Control` (one of the shapes with `do`) | `Done`, or `Problem` |
| `/api/misdeed` | POST | `MisdeedOrder` | `Done`, or `Problem` |
| `/api/plug` | POST | `PlugOrder` | `Done`, or `Problem` |
| `/api/scn` | GET | `?title=SENTENCE` | what was done, as the text of a `.scn` file (attachment) |
| `/api/scn` | POST | `ScenarioText` | `Done` and it begins to play, or `Problem` |
| `/api/past` | GET | `?ms=N` | `Past`: how things stood then |
| `/api/retell` | POST | `RetellOrder` | `Retold`: the same evening under another profile |

| `/words/en.json`, `/words/zh-CN.json` | GET | | the pages' words |

Pages are rendered by `hw_sim.bench.rendering` from `pages/` and `words/LANG.toml` (`lang` from `?lang=`, the
cookie `lang`, else the command's `--lang`; `theme` from the cookie `theme`: light, dark or "").

A `Problem` comes with status 400 (not to be understood), 409 (nobody could do that now), 503 (a process is
not there). Its `reason` is what a page words, by section `refusal` of its words; its `text` is for programs.
Every POST needs `Content-Type: application/json` and the page's own origin.
"""

from __future__ import annotations

from hw_sim.bench.contract.answers import (
    Choices,
    Diagram,
    Difference,
    Done,
    LessonChoice,
    LessonPlay,
    MisdeedChoice,
    Move,
    OtherMoment,
    Past,
    Problem,
    RecordBoard,
    RecordChoice,
    Retold,
    ScenarioChoice,
    Words,
)
from hw_sim.bench.contract.base import (
    FaceName,
    PlugName,
    Reason,
    RigName,
    SeatName,
    Shape,
    TableName,
)
from hw_sim.bench.contract.near import (
    NearDeed,
    NearFrame,
    NearSeat,
    NearTray,
    NearWindow,
    Taken,
)
from hw_sim.bench.contract.news import (
    Hello,
    InsideItem,
    InsideNews,
    Layer,
    LineResult,
    LogLine,
    LogNews,
    News,
    Playing,
    Plugs,
    SessionFrame,
    SessionNews,
    Setup,
    TableNews,
    WaitCode,
    Waits,
)
from hw_sim.bench.contract.orders import (
    Control,
    DeedOrder,
    DoBack,
    DoDirector,
    DoPause,
    DoPlay,
    DoPlayLesson,
    DoPlayRecord,
    DoPlayScenario,
    DoSetup,
    DoSpeed,
    DoStep,
    DoStop,
    DoStyle,
    MisdeedOrder,
    PlugOrder,
    RetellOrder,
    ScenarioText,
)
from hw_sim.bench.contract.table import (
    BoardShape,
    TableFrame,
    TrayShape,
    WindowShape,
)

__all__ = [
    "BoardShape",
    "Choices",
    "Control",
    "DeedOrder",
    "Diagram",
    "Difference",
    "DoBack",
    "DoDirector",
    "DoPause",
    "DoPlay",
    "DoPlayLesson",
    "DoPlayRecord",
    "DoPlayScenario",
    "DoSetup",
    "DoSpeed",
    "DoStep",
    "DoStop",
    "DoStyle",
    "Done",
    "FaceName",
    "Hello",
    "InsideItem",
    "InsideNews",
    "Layer",
    "LessonChoice",
    "LessonPlay",
    "LineResult",
    "LogLine",
    "LogNews",
    "MisdeedChoice",
    "MisdeedOrder",
    "Move",
    "NearDeed",
    "NearFrame",
    "NearSeat",
    "NearTray",
    "NearWindow",
    "News",
    "OtherMoment",
    "Past",
    "Playing",
    "PlugName",
    "PlugOrder",
    "Plugs",
    "Problem",
    "Reason",
    "RecordBoard",
    "RecordChoice",
    "RetellOrder",
    "Retold",
    "RigName",
    "ScenarioChoice",
    "ScenarioText",
    "SeatName",
    "SessionFrame",
    "SessionNews",
    "Setup",
    "Shape",
    "TableFrame",
    "TableName",
    "TableNews",
    "Taken",
    "TrayShape",
    "WaitCode",
    "Waits",
    "WindowShape",
    "Words",
]
