package view

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// Phrase is a sentence by key and arguments. Times are arguments in milliseconds
// since 1970 UTC.
type Phrase struct {
	Key  string
	Args map[string]string
}

// Tone is how a card looks.
type Tone string

// Tones. Need asks for the user, Fail says that something broke, Plain is neutral.
const (
	ToneNeed  Tone = "need"
	ToneFail  Tone = "fail"
	TonePlain Tone = "plain"
)

// Action is something that a card offers, in the order of its actions the first
// being the main one.
type Action string

// Actions of a card.
const (
	Resume      Action = "resume"
	StartFresh  Action = "start_fresh"
	SendAgain   Action = "send_again"
	SwitchModel Action = "switch_model"
	LogIn       Action = "log_in"
	Dismiss     Action = "dismiss"
	OpenLink    Action = "link"
)

// Detail is one line of the technical details of a card.
type Detail struct {
	Label Phrase
	Text  string // sanitised
}

// Card says what has gone wrong with a turn, what is known of it, and what can
// be done.
type Card struct {
	Code     agent.Code // "" where the outcome alone says it
	Tone     Tone
	Heading  Phrase
	Guidance Phrase
	Later    Phrase // stands instead of Guidance once Reset has passed; "" where Guidance stays true
	Note     Phrase // what Turnwatch does not do by itself, or ""
	Details  []Detail
	Why      Phrase // on which evidence it stands: its channel, rule and time
	Actions  []Action
	LinkHost string // "" where there is no link
	Login    string // the command that LogIn runs in a terminal; "" where it is not offered
	At       time.Time
	Reset    time.Time
	Again    *Again // its prompt waits to be sent again; nil else
}

// Ill is what a card is made from.
type Ill struct {
	At      time.Time
	Outcome agent.Outcome  // "" where no turn was open
	Failure *agent.Failure // nil where only the outcome tells
	Agent   string         // its name for people
	Resumes bool           // the agent can take its session up again
	Models  bool           // the agent offers more than one model
	Login   string         // the command by which the user logs in, as a person writes it; "" where none is known
	Link    bool           // the link of the failure was checked and may be offered
	Again   *Again         // what became of sending the prompt again; nil where that was no question
}

// CardOf makes the card.
func CardOf(i Ill) Card {
	c := Card{At: i.At, Tone: ToneFail, Heading: Phrase{Key: "card." + string(i.Outcome)}, Actions: actions(i)}
	f := i.Failure
	if f == nil {
		if i.Outcome == agent.Interrupted {
			c.Tone = ToneNeed
		}
		c.Heading.Args = args("agent", i.Agent)
		c.Guidance = Phrase{Key: "card." + string(i.Outcome) + "_guidance"}
		c.Why = Phrase{Key: "card.why_" + string(i.Outcome), Args: args("agent", i.Agent, "time", ms(i.At))}
		return c
	}
	c.Code, c.Reset = f.Code, f.ResetAt
	c.Heading = Phrase{Key: "failure." + string(f.Code), Args: args("agent", i.Agent, "model", f.Model)}
	c.Guidance = guidance(i)
	if failure.ClassOf(f.Code) == failure.Hard {
		c.Tone = ToneNeed
		c.Note = Phrase{Key: "card.no_retry"}
	}
	if f.Code == failure.QuotaLimited && !f.ResetAt.IsZero() {
		c.Later = Phrase{Key: "card.quota_back", Args: args("agent", i.Agent, "reset", ms(f.ResetAt))}
		if nextTry(f) {
			c.Later.Key = "card.quota_tried"
		}
	}
	if i.Link {
		c.LinkHost = host(f.Link)
	}
	if logsIn(i) {
		c.Login = i.Login
	}
	c.Details = details(i)
	c.Why = why(i)
	i.Again.apply(&c)
	return c
}

// guidance says what to do: what the evidence hints at, or what is known of the
// kind of failure.
func guidance(i Ill) Phrase {
	f := i.Failure
	switch {
	case f.Code == failure.QuotaLimited && !f.ResetAt.IsZero() && nextTry(f):
		return Phrase{Key: "card.quota_next_try", Args: args("agent", i.Agent, "reset", ms(f.ResetAt))}
	case f.Code == failure.QuotaLimited && !f.ResetAt.IsZero():
		return Phrase{Key: "card.quota_until", Args: args("agent", i.Agent, "reset", ms(f.ResetAt))}
	case f.Code == failure.QuotaLimited:
		return Phrase{Key: "card.quota_unknown", Args: args("agent", i.Agent)}
	case f.Hint != "":
		return Phrase{Key: f.Hint, Args: f.Args}
	case i.Resumes:
		return Phrase{Key: "card.resume_or_fresh"}
	}
	return Phrase{Key: "card.fresh"}
}

// nextTry reports whether the reset of a failure is only the time at which the
// agent said that it would try again.
func nextTry(f *agent.Failure) bool { return f.Args["reset_is"] == "next_try" }

// actions lists what is offered, the main one first.
func actions(i Ill) []Action {
	var out []Action
	if i.Link {
		out = append(out, OpenLink)
	}
	switch {
	case is(i, failure.ContextOverflow, failure.InvalidRequest, failure.SessionLost):
		out = append(out, StartFresh)
		if i.Resumes {
			out = append(out, Resume)
		}
	case is(i, failure.AuthRequired, failure.MissingCredentials, failure.SubscriptionRequired, failure.ProviderNotConfigured):
		if logsIn(i) {
			out = append(out, LogIn)
		}
		if i.Outcome != "" {
			out = append(out, SendAgain)
		}
		out = append(out, StartFresh)
	default:
		if i.Resumes {
			out = append(out, Resume)
		}
		out = append(out, StartFresh)
		if i.Outcome != "" {
			out = append(out, SendAgain)
		}
	}
	if i.Models && is(i, failure.QuotaLimited, failure.RateLimited, failure.ModelCapacity, failure.ModelUnavailable) {
		out = append(out, SwitchModel)
	}
	return append(out, Dismiss)
}

// logsIn reports whether a login may help and there is a command for one.
func logsIn(i Ill) bool {
	return i.Login != "" && is(i, failure.AuthRequired, failure.MissingCredentials)
}

// is reports whether the failure has one of the codes.
func is(i Ill, codes ...agent.Code) bool {
	return i.Failure != nil && slices.Contains(codes, i.Failure.Code)
}

func details(i Ill) []Detail {
	f := i.Failure
	var out []Detail
	for _, d := range []struct{ key, text string }{
		{"card.detail_message", f.Message},
		{"card.detail_provider", f.Provider},
		{"card.detail_model", f.Model},
		{"card.detail_time", ms(occurred(i))},
		{"card.detail_rule", f.Rule},
		{"card.detail_code", string(f.Code)},
	} {
		if d.text != "" {
			out = append(out, Detail{Label: Phrase{Key: d.key}, Text: d.text})
		}
	}
	return out
}

// occurred is when the failure came about, as far as it is known.
func occurred(i Ill) time.Time {
	if at := i.Failure.OccurredAt; !at.IsZero() {
		return at
	}
	return i.At
}

// why says on whose word the card stands.
func why(i Ill) Phrase {
	f := i.Failure
	return Phrase{Key: "card.why_" + channel(f), Args: args("agent", i.Agent, "rule", f.Rule, "time", ms(occurred(i)))}
}

// channel names where the evidence was read; sources that are told alike are one.
func channel(f *agent.Failure) string {
	switch {
	case strings.HasPrefix(f.Rule, "transport."):
		return "transport"
	case f.Source == failure.SourceExit, f.Source == failure.SourceOpen:
		return f.Source
	case f.Source == failure.SourceACP:
		return "answer"
	case f.Source == "opencode_stderr":
		return "stderr"
	case f.Source == "opencode_events":
		return "events"
	}
	return "agent"
}

func host(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

func ms(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

// args pairs names and values; empty values are left out.
func args(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.TrimSpace(pairs[i+1]) != "" {
			out[pairs[i]] = pairs[i+1]
		}
	}
	return out
}
