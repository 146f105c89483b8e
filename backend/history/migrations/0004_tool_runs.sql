-- How long tools were quiet before they finished: one row for each tool of each
-- agent, by a name that holds nothing of what it was given.

-- +goose Up
CREATE TABLE tool_runs (
  agent      TEXT NOT NULL,
  tool       TEXT NOT NULL,
  runs       INTEGER NOT NULL,
  longest_ms INTEGER NOT NULL,
  last_at    INTEGER NOT NULL,
  PRIMARY KEY (agent, tool)
) STRICT, WITHOUT ROWID;
