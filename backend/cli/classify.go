package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/locale"
)

// evidenceLine is a piece of evidence as it is asked about. Every field may be
// missing; numbers may also be given as texts.
type evidenceLine struct {
	Agent      string          `json:"agent"`
	Channel    string          `json:"channel"`
	Text       string          `json:"text"`
	HTTPStatus status          `json:"http_status"`
	RPCCode    loose           `json:"rpc_code"`
	Data       json.RawMessage `json:"data"`
	OccurredAt *time.Time      `json:"occurred_at"`
}

// verdictLine is the answer where the evidence shows a failure.
type verdictLine struct {
	Code       agent.Code         `json:"code"`
	Class      failure.Class      `json:"class"`
	Confidence failure.Confidence `json:"confidence"`
	RuleID     string             `json:"rule_id"`
	Catalogue  string             `json:"catalogue_version"`
	Provider   string             `json:"provider,omitempty"`
	Model      string             `json:"model,omitempty"`
	Retrying   bool               `json:"retrying"`
	ResetAt    *time.Time         `json:"reset_at"`
	RetryAfter *float64           `json:"retry_after_s"`
}

// nothingLine is the answer where it does not.
type nothingLine struct {
	Code *agent.Code `json:"code"`
}

// refusedLine stands in the place of an answer to a line that cannot be read.
type refusedLine struct {
	Error string `json:"error"`
}

func (a *app) classifyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "classify", Short: a.say("classify.short"), Long: a.say("classify.long"), Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error { return a.classify(time.Now) },
	}
}

// classify answers each line of stdin with one line, as soon as it is there.
func (a *app) classify(now func() time.Time) error {
	in := newIntake(a.env.In)
	out := jsonl{w: a.env.Out}
	bad := 0
	for out.err == nil {
		raw, err := in.next()
		switch {
		case errors.Is(err, errTooLong):
			out.put(refusedLine{a.say("cli.line_too_long")})
			bad++
			continue
		case err != nil:
			return broken(fmt.Errorf("read evidence: %w", err))
		case raw == nil:
			if bad > 0 {
				return broken(errors.New(a.words.Say("cli.bad_lines", locale.Args{"count": strconv.Itoa(bad)})))
			}
			return nil
		}
		var line evidenceLine
		if err := json.Unmarshal(raw, &line); err != nil {
			out.put(refusedLine{a.say("classify.bad_line")})
			bad++
			continue
		}
		out.put(answer(failure.Classify(line.evidence(now))))
	}
	return broken(out.err)
}

// evidence reads the free words of a line. Without a time the record is of now;
// without a channel a code or status says which it is.
func (l evidenceLine) evidence(now func() time.Time) failure.Evidence {
	kind, _ := agent.ParseKind(l.Agent)
	channel, method := failure.ChannelOf(l.Channel)
	switch {
	case l.Channel != "":
	case l.RPCCode != 0:
		channel = failure.ChannelRPC
	case l.HTTPStatus >= 400:
		channel = failure.ChannelHTTP
	}
	e := failure.Evidence{
		Agent: kind, Channel: channel, Method: method, Text: l.Text,
		HTTPStatus: int(l.HTTPStatus), RPCCode: int64(l.RPCCode), OccurredAt: now(),
	}
	if s := string(l.Data); s != "" && s != "null" {
		e.Data = l.Data
	}
	if l.OccurredAt != nil {
		e.OccurredAt = *l.OccurredAt
	}
	return e
}

func answer(c failure.Classification) any {
	if c.Code == "" {
		return nothingLine{}
	}
	v := verdictLine{
		Code: c.Code, Class: c.Class, Confidence: c.Confidence, RuleID: c.RuleID, Catalogue: c.CatalogueVersion,
		Provider: c.Provider, Model: c.Model, Retrying: c.Retrying,
	}
	if !c.ResetAt.IsZero() {
		v.ResetAt = &c.ResetAt
	}
	if c.RetryAfter > 0 {
		s := c.RetryAfter.Seconds()
		v.RetryAfter = &s
	}
	return v
}

// status is an HTTP status, given as a number or a text. Anything else is an error.
type status int64

func (n *status) UnmarshalJSON(raw []byte) error {
	v, ok := whole(raw)
	if text := string(raw); !ok && text != "null" && text != `""` {
		return errors.New("status is no number")
	}
	*n = status(v)
	return nil
}

// loose is a whole number, given as one, as a text or with a fraction of zero.
// Agents also send words as codes: those are 0. What is neither is an error.
type loose int64

func (n *loose) UnmarshalJSON(raw []byte) error {
	if strings.ContainsAny(string(raw[:1]), "{[tf") {
		return errors.New("code is neither a number nor a text")
	}
	v, _ := whole(raw)
	*n = loose(v)
	return nil
}

// whole reads a whole number, also one that is given as a text.
func whole(raw []byte) (int64, bool) {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}
