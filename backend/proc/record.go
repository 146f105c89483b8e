package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// recordVersion is the form of the ledger's files.
const recordVersion = 1

// recordLimit is more than any record that was written here.
const recordLimit = 4 << 10

// record is what the ledger keeps of one launch: who started what. It is written
// with the launch id before the start and completed with pid and start after it.
type record struct {
	Version    int    `json:"version"`
	Launch     string `json:"launch"`
	Owner      string `json:"owner"`
	OwnerPID   int    `json:"owner_pid"`
	OwnerStart uint64 `json:"owner_start"`
	Boot       string `json:"boot,omitempty"` // start times of another boot mean nothing
	PID        int    `json:"pid,omitempty"`
	Start      uint64 `json:"start,omitempty"`
}

// root is the program, or zero where it is not known or was of another boot.
func (r record) root(boot string) ident {
	if r.PID <= 1 || r.Start == 0 || r.Boot != boot {
		return ident{}
	}
	return ident{pid: r.PID, start: r.Start}
}

// owner is the process that wrote the record, or zero.
func (r record) owner(boot string) ident {
	if r.OwnerPID <= 1 || r.OwnerStart == 0 || r.Boot != boot {
		return ident{}
	}
	return ident{pid: r.OwnerPID, start: r.OwnerStart}
}

// parseRecord reads a record that is filed under an owner and a launch. One that
// says something else than its name is refused whole.
func parseRecord(raw []byte, owner, launch string) (record, error) {
	if len(raw) > recordLimit {
		return record{}, errors.New("parse launch record: too long")
	}
	var r record
	if err := json.Unmarshal(raw, &r); err != nil {
		return record{}, errors.New("parse launch record: not in the form of a record")
	}
	if r.Version != recordVersion {
		return record{}, fmt.Errorf("parse launch record: version %d is not known", r.Version)
	}
	if r.Owner != owner || r.Launch != launch {
		return record{}, errors.New("parse launch record: it names another launch than its file")
	}
	return r, nil
}

// Names of the ledger's files: OWNER.lock, OWNER.LAUNCH.json, OWNER.LAUNCH.tmp.
const (
	lockExt   = ".lock"
	recordExt = ".json"
	draftExt  = ".tmp"
)

// filed is a file of the ledger by its name.
type filed struct {
	name, owner, launch, ext string
}

// parseName reads a file's name; anything else than the three forms is not ours.
func parseName(name string) (filed, bool) {
	if owner, ok := strings.CutSuffix(name, lockExt); ok {
		return filed{name: name, owner: owner, ext: lockExt}, validOwner(owner)
	}
	for _, ext := range []string{recordExt, draftExt} {
		rest, ok := strings.CutSuffix(name, ext)
		if !ok {
			continue
		}
		owner, launch, ok := strings.Cut(rest, ".")
		return filed{name: name, owner: owner, launch: launch, ext: ext}, ok && validOwner(owner) && validLaunch(launch)
	}
	return filed{}, false
}

// validOwner accepts 1 to 64 of a-z, 0-9 and, not first, the hyphen.
func validOwner(s string) bool {
	return s != "" && len(s) <= 64 && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func validLaunch(s string) bool {
	return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == ""
}
