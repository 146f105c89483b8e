-- The index of words over what was asked, said, thought and done. Its contents
-- are the parts of state 1; the triggers keep it equal to them whatever changes.

-- +goose Up
CREATE VIEW parts_words AS
  SELECT id, text, title FROM parts WHERE state = 1 AND (text <> '' OR title <> '');

CREATE VIRTUAL TABLE parts_fts USING fts5 (
  text, title,
  content = 'parts_words', content_rowid = 'id',
  columnsize = 0,
  tokenize = "unicode61 remove_diacritics 2"
);

-- +goose StatementBegin
CREATE TRIGGER parts_added AFTER INSERT ON parts
WHEN new.state = 1 AND (new.text <> '' OR new.title <> '') BEGIN
  INSERT INTO parts_fts (rowid, text, title) VALUES (new.id, new.text, new.title);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER parts_gone AFTER DELETE ON parts
WHEN old.state = 1 AND (old.text <> '' OR old.title <> '') BEGIN
  INSERT INTO parts_fts (parts_fts, rowid, text, title) VALUES ('delete', old.id, old.text, old.title);
END;
-- +goose StatementEnd

-- +goose StatementBegin
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
-- +goose StatementEnd

INSERT INTO parts_fts (parts_fts) VALUES ('rebuild');
