-- A database of schema version 5, as it was left by that version. Never edit it:
-- it shows that what old versions wrote is still read.
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1);
CREATE TABLE owners (
  id         TEXT PRIMARY KEY,
  pid        INTEGER NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tasks (
  id          TEXT PRIMARY KEY,
  title       TEXT NOT NULL,
  agent_title TEXT NOT NULL DEFAULT '',
  dir         TEXT NOT NULL,
  state       TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  archived_at INTEGER,
  deleted_at  INTEGER
) STRICT;
CREATE INDEX tasks_live ON tasks (updated_at, id) WHERE archived_at IS NULL AND deleted_at IS NULL;
CREATE INDEX tasks_archived ON tasks (updated_at, id) WHERE archived_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX tasks_deleted ON tasks (updated_at, id) WHERE deleted_at IS NOT NULL;

CREATE TABLE sessions (
  num           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  task          TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  kind          TEXT NOT NULL,
  command_json  TEXT NOT NULL,
  dir           TEXT NOT NULL,
  wanted_json   TEXT NOT NULL,
  state         TEXT NOT NULL,
  held          INTEGER NOT NULL DEFAULT 0,
  generation    INTEGER NOT NULL DEFAULT 0,
  last_seq      INTEGER NOT NULL DEFAULT 0,
  provider      TEXT NOT NULL DEFAULT '',
  title         TEXT NOT NULL DEFAULT '',
  info_json     TEXT NOT NULL DEFAULT '{}',
  options_json  TEXT NOT NULL DEFAULT '[]',
  commands_json TEXT NOT NULL DEFAULT '[]',
  usage_json    TEXT NOT NULL DEFAULT '{}',
  owner         TEXT,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  pruned_at     INTEGER
) STRICT;
CREATE INDEX sessions_task ON sessions (task, num);
CREATE INDEX sessions_owner ON sessions (owner) WHERE owner IS NOT NULL;
CREATE INDEX sessions_age ON sessions (updated_at) WHERE pruned_at IS NULL;

CREATE TABLE prompts (
  pos         INTEGER PRIMARY KEY AUTOINCREMENT,
  session     INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  id          TEXT NOT NULL,
  at          INTEGER NOT NULL,
  blocks_json TEXT NOT NULL,
  UNIQUE (session, id)
) STRICT;

CREATE TABLE turns (
  session       INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  generation    INTEGER NOT NULL,
  owner         TEXT NOT NULL,
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  outcome       TEXT,
  stop          TEXT NOT NULL DEFAULT '',
  by_agent      INTEGER NOT NULL DEFAULT 0,
  failure       INTEGER,
  usage_json    TEXT NOT NULL DEFAULT '{}',
  retry_at      INTEGER,
  retry_attempt INTEGER,
  retry_next    INTEGER,
  prompt_id     TEXT NOT NULL,
  prompt_at     INTEGER NOT NULL,
  prompt_json   TEXT NOT NULL,
  PRIMARY KEY (session, generation)
) STRICT;
CREATE INDEX turns_open ON turns (owner) WHERE outcome IS NULL;

CREATE TABLE cancel_steps (
  id         INTEGER PRIMARY KEY,
  session    INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  step       TEXT NOT NULL
) STRICT;
CREATE INDEX cancel_steps_turn ON cancel_steps (session, generation, id);

CREATE TABLE parts (
  id         INTEGER PRIMARY KEY,
  state      INTEGER NOT NULL,
  tool_open  INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  key        TEXT NOT NULL,
  at         INTEGER,
  late       INTEGER NOT NULL,
  marked     INTEGER NOT NULL,
  title      TEXT NOT NULL,
  text       TEXT NOT NULL,
  body_json  TEXT,
  raw        BLOB
) STRICT;
CREATE INDEX parts_open ON parts (id) WHERE state IN (0, 2);
CREATE INDEX parts_unindexed ON parts (id) WHERE state = 3;
CREATE INDEX parts_tool_open ON parts (id) WHERE tool_open = 1;

CREATE TABLE tails (
  n    INTEGER PRIMARY KEY,
  part INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX tails_part ON tails (part, n);

CREATE TABLE asks (
  id         INTEGER PRIMARY KEY,
  session    INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  ask        TEXT NOT NULL,
  opened_at  INTEGER NOT NULL,
  closed_at  INTEGER,
  option     TEXT,
  decided_by TEXT,
  ask_json   TEXT NOT NULL
) STRICT;
CREATE INDEX asks_session ON asks (session, id);
CREATE INDEX asks_open ON asks (session, ask) WHERE closed_at IS NULL;

CREATE TABLE notices (
  id         INTEGER PRIMARY KEY,
  session    INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  args_json  TEXT NOT NULL
) STRICT;
CREATE INDEX notices_session ON notices (session, id);

CREATE TABLE failures (
  id                INTEGER PRIMARY KEY,
  session           INTEGER NOT NULL REFERENCES sessions (num) ON DELETE CASCADE,
  generation        INTEGER NOT NULL,
  at                INTEGER NOT NULL,
  failure_kind      TEXT NOT NULL,
  code              TEXT NOT NULL,
  rule_id           TEXT NOT NULL,
  catalogue_version TEXT NOT NULL,
  source            TEXT NOT NULL,
  provider_name     TEXT NOT NULL,
  model_id          TEXT NOT NULL,
  reset_at          TEXT,
  error_output      TEXT NOT NULL,
  remediation_url   TEXT NOT NULL,
  occurred_at       INTEGER,
  hint              TEXT NOT NULL,
  args_json         TEXT NOT NULL
) STRICT;
CREATE INDEX failures_session ON failures (session, id);

CREATE TRIGGER sessions_gone AFTER DELETE ON sessions BEGIN
  DELETE FROM tails WHERE part IN (SELECT id FROM parts
    WHERE state IN (0, 2) AND id BETWEEN old.num << 32 AND (old.num << 32) + 4294967295);
  DELETE FROM parts WHERE id BETWEEN old.num << 32 AND (old.num << 32) + 4294967295;
END;

PRAGMA application_id = 0x54774869;

CREATE VIEW parts_words AS
  SELECT id, text, title FROM parts WHERE state = 1 AND (text <> '' OR title <> '');

CREATE VIRTUAL TABLE parts_fts USING fts5 (
  text, title,
  content = 'parts_words', content_rowid = 'id',
  columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);

CREATE TRIGGER parts_added AFTER INSERT ON parts
WHEN new.state = 1 AND (new.text <> '' OR new.title <> '') BEGIN
  INSERT INTO parts_fts (rowid, text, title) VALUES (new.id, new.text, new.title);
END;

CREATE TRIGGER parts_gone AFTER DELETE ON parts
WHEN old.state = 1 AND (old.text <> '' OR old.title <> '') BEGIN
  INSERT INTO parts_fts (parts_fts, rowid, text, title) VALUES ('delete', old.id, old.text, old.title);
END;

CREATE TRIGGER parts_changed AFTER UPDATE OF state, text, title ON parts
WHEN (old.state = 1) <> (new.state = 1)
  OR (new.state = 1 AND (old.text <> new.text OR old.title <> new.title)) BEGIN
  INSERT INTO parts_fts (parts_fts, rowid, text, title)
    SELECT 'delete', old.id, old.text, old.title
    WHERE old.state = 1 AND (old.text <> '' OR old.title <> '');
  INSERT INTO parts_fts (rowid, text, title)
    SELECT new.id, new.text, new.title
    WHERE new.state = 1 AND (new.text <> '' OR new.title <> '');
END;

ALTER TABLE failures ADD COLUMN dismissed_at INTEGER;
ALTER TABLE turns ADD COLUMN dismissed_at INTEGER;

CREATE TABLE tool_runs (
  agent      TEXT NOT NULL,
  tool       TEXT NOT NULL,
  runs       INTEGER NOT NULL,
  longest_ms INTEGER NOT NULL,
  last_at    INTEGER NOT NULL,
  PRIMARY KEY (agent, tool)
) STRICT, WITHOUT ROWID;

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

INSERT INTO owners VALUES ('019b00000000-dead', 4242, 1767323045000);
INSERT INTO tasks (id, title, dir, state, created_at, updated_at)
  VALUES ('t1', 'Fix the parser', '/w', 'running', 1767323045000, 1767323045000);
INSERT INTO sessions (num, id, task, kind, command_json, dir, wanted_json, state, generation, last_seq, owner,
  created_at, updated_at)
  VALUES (1, 's1', 't1', 'opencode', '[]', '/w', '{"model":"m"}', 'running', 1, 2, '019b00000000-dead',
    1767323045000, 1767323046000);
INSERT INTO turns (session, generation, owner, started_at, prompt_id, prompt_at, prompt_json)
  VALUES (1, 1, '019b00000000-dead', 1767323045000, 'p1', 1767323045000, '[{"k":"text","t":"fix the parser"}]');
INSERT INTO parts VALUES ((1 << 32) + 1, 1, 0, 1, 'prompt', '', 1767323045000, 0, 0, '', 'fix the parser', NULL, NULL);
INSERT INTO parts VALUES ((1 << 32) + 2, 0, 0, 1, 'text', 'm1', 1767323045000, 0, 0, '', 'done, ', NULL, NULL);
INSERT INTO tails (part, text) VALUES ((1 << 32) + 2, 'and '), ((1 << 32) + 2, 'streaming');
INSERT INTO tool_runs VALUES ('opencode', 'bash', 2, 60000, 1767323046000);
INSERT INTO sessions (num, id, task, kind, command_json, dir, wanted_json, state, generation, last_seq,
  created_at, updated_at)
  VALUES (2, 's2', 't1', 'opencode', '[]', '/w', '{}', 'waiting_for_input', 1, 0, 1767323047000, 1767323048000);
INSERT INTO failures (id, session, generation, at, failure_kind, code, rule_id, catalogue_version, source, provider_name,
  model_id, error_output, remediation_url, occurred_at, hint, args_json)
  VALUES (1, 2, 1, 1767323048000, 'provider_overloaded', 'provider_overloaded', 'overloaded', '1', 'acp_error', '', '',
    'Overloaded', '', 1767323048000, '', '{}');
INSERT INTO turns (session, generation, owner, started_at, ended_at, outcome, failure, prompt_id, prompt_at, prompt_json)
  VALUES (2, 1, '019b00000000-dead', 1767323047000, 1767323048000, 'failed', 1, 'p2', 1767323047000,
    '[{"k":"text","t":"go on"}]');
UPDATE failures SET confidence = 'high', retry_after_ms = 7500 WHERE id = 1;
INSERT INTO retries (session, generation, try, most, planned_at, retry_at) VALUES (2, 1, 1, 5, 1767323048000, 1767323053000);
