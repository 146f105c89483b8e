package managed

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

func gemini() profile {
	return profile{
		kind: agent.Gemini, name: "Gemini",
		programs: []string{"gemini"}, args: []string{"--acp"},
		install: "npm install -g @google/gemini-cli",
		node:    "20", files: true,
		read: func() evidence { return &geminiEvidence{} },
	}
}

// geminiEvidence reads the Gemini CLI. Over ACP it says nothing while it retries;
// only its stderr does, in one line or two:
//
//	Attempt 2 failed with status 503. Retrying with backoff... _ApiError: …
//	Attempt 1 failed: You exceeded your current quota … Please retry in 3.1s.
//	Suggested retry after 3s.. Retrying after 5280ms...
//
// An attempt that is not retried is no sign: the error answer says it better.
type geminiEvidence struct {
	bracketEvidence
	mu      sync.Mutex
	gen     agent.Generation
	attempt int    // of the last line that named one, in this turn
	why     string // that line, at most 4 KiB; for its code alone, since no word of stderr is shown
}

var failedAttempt = regexp.MustCompile(`^Attempt (\d{1,4}) failed`)

func (e *geminiEvidence) stderr(st agent.Stamp, line []byte) []agent.Event {
	head := line[:min(len(line), 4<<10)]
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gen != st.Generation {
		e.gen, e.attempt, e.why = st.Generation, 0, ""
	}
	if m := failedAttempt.FindSubmatch(head); m != nil {
		e.attempt, _ = strconv.Atoi(string(m[1]))
		e.why = string(head)
	}
	if e.attempt == 0 || !bytes.Contains(head, []byte("Retrying after ")) && !bytes.Contains(head, []byte("Retrying with backoff")) {
		return nil
	}
	r := agent.Retrying{Stamp: st, Attempt: e.attempt}
	if _, after, ok := bytes.Cut(head, []byte("Retrying after ")); ok {
		if t := failure.TimesIn("Retrying after "+string(after[:min(len(after), 24)]), st.At, true); t.Wait > 0 {
			r.Next = st.At.Add(t.Wait)
		}
	}
	r = because(r, failure.Evidence{Agent: agent.Gemini, Text: e.why}, "")
	e.attempt, e.why = 0, ""
	return []agent.Event{r}
}
