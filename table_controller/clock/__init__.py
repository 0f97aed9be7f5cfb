"""Time at the table: who used it, as far as the table can know. Pure: events in, rows out.

Directors of screened matches lack one thing above all: who used the time. The clock folds the same events
and states as the core and says at the end of each board how its time divides. It is evidence for the
director; it never rules, never guesses, and nothing of it may stand where a player can look.

What a table reports (all in stream `log`, journalled in the commit of the event that made it):

`what = "board_time"`  -> `LogBody.effect()` gives `screen.times.RecordTime`: one row a board, when its record
    is closed. Written once and never amended; a restart, replay or redelivery makes no second one. Columns
    (`TimeColumns`, ms) sum exactly to `ended - begun`. Wall times follow from the row's own envelope, which
    carries both clocks of one instant: wall(t) = `wall` - (`mono_ms` - t), where `wall` is not null.
`what = "session_time"` -> `screen.times.RecordPace`: start, arrival, due, boards begun, finished, unplayed.
    Whole; the last one of a session is enough. Written when any of it changes.

Both are written only while a session is laid down. Without one a table works as ever, and its view and
snapshot say so: `off` has the pair `("clock", "no session is laid down, so no clock is kept")`.

LATE_ARRIVAL (at the first board, against the start) and SLOW_PLAY (when the time allowed is over and boards
are not; amended when the last one is) are entries of the core like any other, level report, with the
profile's article. Facts on them: `minutes_over` ("7:00"), `table_row` (the row of the table, from 1),
`boards_played`, `boards_unplayed`, and where every card was read `used_ns`, `used_ew`, `over_ns`, `over_ew`,
with `unknown` beside them if part of the time was. A SLOW_PLAY entry has no `minutes_over` before the end.
What the table says of it is `regulations.clock.late/slow`; nothing is made where the authority has no such
table for the contest, or no contest or start was given.

The session comes with the `session` command, whose `plan` is (every field optional)
    contest          teams_vp, teams_knockout, pairs_matchpoints, pairs_imp
    start_ms         Unix ms on the console's clock
    minutes          a board, both sides together (older spelling of board_seconds)
    board_seconds, round_seconds, pair_seconds       as `screen.times.SessionPlan`
    regulations      id of the profile
    late_before, slow_before, forfeits_before        what came before
The same id again changes the session during play and keeps what has been played; another begins anew.
The start is put on the table's axis by the console's clock as its messages show it. A power cut of unknown
length moves that axis against the day: the session then has no start and no end until it is laid down again.
A board that lies there when a session is laid down, or was put down since half an hour before its start, is
its arrival.

For console and command line alike:
    `clock.shares`   sums of rows, scaled to the boards actually played; the observed weights for `clock.slow`
    `clock.table`    `TimedTable`: the core with its clock; what the service, replay and the simulator run
    `clock.habits`   an evening's visits and holds per pair: median, spread, longest, time per face, long
                     visits against that pair's own habit (`habit_of(samples_of(visits, pair), reference)`)
`table-controller time JOURNAL [--habits]` prints all of it from a journal.
"""
