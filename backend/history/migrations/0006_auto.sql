-- What the auto-resume policy did: its ledger, the prompts that it has sent, what
-- the user has chosen for a session, and what it must still know after a restart.
-- choice is '' where the folder's choice holds.

-- +goose Up
ALTER TABLE sessions ADD COLUMN auto_choice TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN auto_json TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN auto_kind TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN auto_count INTEGER NOT NULL DEFAULT 0;

CREATE TABLE auto_steps (
  id         INTEGER PRIMARY KEY,
  session    INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  row_id     INTEGER NOT NULL,
  of_row     INTEGER NOT NULL DEFAULT 0,
  act        TEXT NOT NULL,
  kind       TEXT NOT NULL DEFAULT '',
  reason     TEXT NOT NULL DEFAULT '',
  result     TEXT NOT NULL DEFAULT '',
  due_at     INTEGER,
  count      INTEGER NOT NULL DEFAULT 0,
  rule       TEXT NOT NULL DEFAULT '',
  silent_ms  INTEGER NOT NULL DEFAULT 0,
  figure     INTEGER NOT NULL DEFAULT 0,
  code       TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX auto_steps_session ON auto_steps (session, id);
