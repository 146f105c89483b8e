-- What the user has put away: a card of a failure, or of a turn that ended badly
-- without one.

-- +goose Up
ALTER TABLE failures ADD COLUMN dismissed_at INTEGER;
ALTER TABLE turns ADD COLUMN dismissed_at INTEGER;
