package diagnose

import (
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
)

// Source is the channel of every Diagnostic of this package.
const Source = "opencode_stderr"

// Generic is the message of a Diagnostic of which nothing else may be shown: the
// key of a sentence. The failure is real all the same.
const Generic = "failure.provider.generic"

// Diagnostic is a proved failure of a model stream, fit to be stored and shown.
// It has these seven fields and no raw one.
type Diagnostic struct {
	Source         string
	ProviderID     string // "" where the record names none that may be shown
	ModelID        string // likewise
	Message        string // sanitised, at most redact.Limit bytes; or Generic
	OccurredAt     time.Time
	ResetAt        time.Time // UTC; zero where the text does not prove it
	RemediationURL string    // passes redact.Remediation, or ""
}

// Finding is a Diagnostic and what the registry makes of the raw text.
type Finding struct {
	Diagnostic Diagnostic
	Class      failure.Classification // Code is never ""
}

// Quota reports whether a limit was met, which ends a turn whatever the agent
// says about trying again.
func (f Finding) Quota() bool { return f.Class.Code == failure.QuotaLimited }

// Failure is the finding in the form in which a turn settles by it.
func (f Finding) Failure() agent.Failure {
	d := f.Diagnostic
	out := agent.Failure{
		Code: f.Class.Code, Rule: f.Class.RuleID, Source: d.Source, Message: d.Message,
		Provider: d.ProviderID, Model: d.ModelID,
		OccurredAt: d.OccurredAt, ResetAt: d.ResetAt, Link: d.RemediationURL,
		Confidence: string(f.Class.Confidence), RetryAfter: f.Class.RetryAfter,
	}
	if out.Message == Generic {
		out.Message = ""
	}
	out.Hint = failure.HintOf(out.Code, out.Message)
	return out
}

// Ignored says why a line says nothing about the turn in hand. "" is a Finding.
type Ignored string

// Reasons to ignore a line, in the order in which they are looked for.
const (
	OtherAgent      Ignored = "other_agent"      // only OpenCode writes such records
	TooLong         Ignored = "too_long"         // over LongestLine
	NotARecord      Ignored = "not_a_record"     // not the grammar, or fields missing or of a wrong type
	OtherLevel      Ignored = "other_level"      // not level=ERROR
	OtherMessage    Ignored = "other_message"    // not the end of a model stream
	NoSession       Ignored = "no_session"       // no session id, or not the form of one
	Background      Ignored = "background"       // a side request: small=true
	TitleRequest    Ignored = "title_request"    // the agent that finds titles
	NoError         Ignored = "no_error"         // nothing says what failed
	Aborted         Ignored = "aborted"          // the user's own cancel
	OtherSession    Ignored = "other_session"    // not the session that is asked about
	OtherGeneration Ignored = "other_generation" // read while another turn was in hand, or none
	BeforeDispatch  Ignored = "before_dispatch"  // made before the prompt was sent
)
