-- The console's own journal. Reports as they came, acts of directors as they were given, nothing edited.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- One row a report, named (table, epoch, seq) for ever. raw: the envelope's bytes as received.
CREATE TABLE reports (
  "table" TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL,
  stream TEXT NOT NULL, what TEXT NOT NULL, session TEXT NOT NULL,
  mono_ms INTEGER NOT NULL, wall TEXT, clock TEXT NOT NULL,
  received INTEGER NOT NULL, happened INTEGER NOT NULL, verified INTEGER NOT NULL, raw BLOB NOT NULL,
  PRIMARY KEY ("table", epoch, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX reports_by_what ON reports ("table", epoch, stream, what, seq);

-- How far each journal is here without a gap, and what was last confirmed to the table.
CREATE TABLE progress (
  "table" TEXT NOT NULL, epoch TEXT NOT NULL, upto INTEGER NOT NULL, since INTEGER NOT NULL,
  PRIMARY KEY ("table", epoch)
) STRICT, WITHOUT ROWID;
CREATE TABLE receipts (
  n INTEGER PRIMARY KEY, "table" TEXT NOT NULL, epoch TEXT NOT NULL, upto INTEGER NOT NULL,
  since INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX receipts_by_journal ON receipts ("table", epoch, n);

-- The last retained word of each table, to show something at once after a restart.
CREATE TABLE tables (
  name TEXT PRIMARY KEY, epoch TEXT NOT NULL, state BLOB NOT NULL, heard INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Acts of directors: only ever added to.
CREATE TABLE case_steps (
  n INTEGER PRIMARY KEY, "table" TEXT NOT NULL, epoch TEXT NOT NULL, entry INTEGER NOT NULL,
  step TEXT NOT NULL, owner TEXT NOT NULL, text TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE alarm_steps (
  n INTEGER PRIMARY KEY, "table" TEXT NOT NULL, epoch TEXT NOT NULL, fault INTEGER NOT NULL,
  act TEXT NOT NULL, until INTEGER, text TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE rulings (
  n INTEGER PRIMARY KEY, "table" TEXT NOT NULL, epoch TEXT NOT NULL, entry INTEGER NOT NULL,
  version INTEGER NOT NULL, verdict TEXT NOT NULL, text TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL,
  command TEXT NOT NULL, UNIQUE ("table", epoch, entry, version)
) STRICT;
CREATE TABLE commands (
  id TEXT PRIMARY KEY, "table" TEXT NOT NULL, epoch TEXT NOT NULL, verb TEXT NOT NULL, args TEXT NOT NULL,
  summary TEXT NOT NULL, expect_rev INTEGER, by TEXT NOT NULL, issued INTEGER NOT NULL, deadline INTEGER NOT NULL,
  entry INTEGER, hardware INTEGER NOT NULL,
  progress TEXT NOT NULL, reason TEXT NOT NULL, attempts INTEGER NOT NULL, sent INTEGER, changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX commands_open ON commands (progress, issued);
CREATE TABLE notices (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, "table" TEXT NOT NULL, detail TEXT NOT NULL, at INTEGER NOT NULL,
  acknowledged_by TEXT NOT NULL
) STRICT;
CREATE TABLE reveals (
  n INTEGER PRIMARY KEY, user TEXT NOT NULL, login TEXT NOT NULL, "table" TEXT NOT NULL, epoch TEXT NOT NULL,
  board TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE shifts (
  n INTEGER PRIMARY KEY, user TEXT NOT NULL, act TEXT NOT NULL, "to" TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE exports (
  id TEXT PRIMARY KEY, "table" TEXT NOT NULL, entry TEXT NOT NULL, hands INTEGER NOT NULL, reason TEXT NOT NULL,
  by TEXT NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE contests (
  n INTEGER PRIMARY KEY, session TEXT NOT NULL, body TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE drafts (
  user TEXT NOT NULL, form TEXT NOT NULL, fields TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (user, form)
) STRICT, WITHOUT ROWID;

-- One row a submitted form: a repeat gets the first answer.
CREATE TABLE submissions (
  key TEXT NOT NULL, user TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL, answer TEXT NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;

-- People. Passwords and tokens are kept as hashes only.
CREATE TABLE users (
  name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL, disabled INTEGER NOT NULL, made INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE logins (
  id TEXT PRIMARY KEY, user TEXT NOT NULL, csrf TEXT NOT NULL, lang TEXT NOT NULL, theme TEXT NOT NULL,
  made INTEGER NOT NULL, seen INTEGER NOT NULL, expires INTEGER NOT NULL, revoked INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE login_codes (
  hash TEXT PRIMARY KEY, user TEXT NOT NULL, expires INTEGER NOT NULL, used INTEGER
) STRICT, WITHOUT ROWID;

-- Who did what, each row carrying the hash of the one before.
CREATE TABLE audit (
  n INTEGER PRIMARY KEY, at INTEGER NOT NULL, by TEXT NOT NULL, act TEXT NOT NULL, detail TEXT NOT NULL,
  previous TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
