-- How sure a failure is and how long the provider asked to wait; and prompts that
-- are sent again by themselves: one row for each failed turn, so that nothing is
-- sent twice for one failure. A row without ended_at waits. retry_at is NULL where
-- nothing was planned, why says why it is over, sent_as is the turn that came of it.

-- +goose Up
ALTER TABLE failures ADD COLUMN confidence TEXT NOT NULL DEFAULT '';
ALTER TABLE failures ADD COLUMN retry_after_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN again_of INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN try INTEGER NOT NULL DEFAULT 0;

CREATE TABLE retries (
  session    INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  try        INTEGER NOT NULL,
  most       INTEGER NOT NULL DEFAULT 0,
  planned_at INTEGER NOT NULL,
  retry_at   INTEGER,
  ended_at   INTEGER,
  why        TEXT NOT NULL DEFAULT '',
  sent_as    INTEGER,
  PRIMARY KEY (session, generation)
) STRICT, WITHOUT ROWID;
CREATE INDEX retries_waiting ON retries (session) WHERE ended_at IS NULL;
