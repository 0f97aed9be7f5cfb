-- Since version 2: the clock of the round, and what directors decided about time. Only ever added to.
CREATE TABLE round_clocks (
  n INTEGER PRIMARY KEY, act TEXT NOT NULL, body TEXT NOT NULL, why TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;

-- what: late, slow or forfeit. shown: what the article said when it was decided, as JSON. A later version stands.
CREATE TABLE time_rulings (
  n INTEGER PRIMARY KEY, "table" TEXT NOT NULL, session TEXT NOT NULL, what TEXT NOT NULL, version INTEGER NOT NULL,
  verdict TEXT NOT NULL, ns TEXT NOT NULL, ew TEXT NOT NULL, reason TEXT NOT NULL, shown TEXT NOT NULL,
  by TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE ("table", session, what, version)
) STRICT;
