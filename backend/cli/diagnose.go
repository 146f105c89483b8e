package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"turnwatch/backend/agent"
	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/diagnose"
	"turnwatch/backend/locale"
	"turnwatch/backend/redact"
)

// diagnosticLine is the answer to a line that proves a failure.
type diagnosticLine struct {
	Diagnostic diagnosticShown `json:"diagnostic"`
}

// diagnosticShown is a Diagnostic for a program. What is not known is null.
type diagnosticShown struct {
	Source     string     `json:"source"`
	Provider   *string    `json:"provider_id"`
	Model      *string    `json:"model_id"`
	Message    string     `json:"message"`
	OccurredAt time.Time  `json:"occurred_at"`
	ResetAt    *time.Time `json:"reset_at"`
	Link       *string    `json:"remediation_url"`
}

// ignoredLine is the answer to any other line.
type ignoredLine struct {
	Ignored diagnose.Ignored `json:"ignored"`
}

// okLine is the answer to a candidate for a link.
type okLine struct {
	OK bool `json:"ok"`
}

func (a *app) diagnoseCommand() *cobra.Command {
	var kind, session string
	cmd := &cobra.Command{
		Use: "diagnose --agent NAME", Short: a.say("diagnose.short"), Long: a.say("diagnose.long"), Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			k, ok := agent.ParseKind(kind)
			switch {
			case !ok:
				return usage(errors.New(a.say("diagnose.no_agent")))
			case k != agent.OpenCode:
				return usage(errors.New(a.words.Say("diagnose.other_agent", locale.Args{"name": terminal.OneLine(kind)})))
			}
			scope := diagnose.Scope{Kind: k, Session: agent.ProviderSession(session)}
			return a.eachLine(func(out *jsonl, line []byte) bool {
				out.put(diagnosed(line, scope))
				return true
			})
		},
	}
	cmd.Flags().StringVar(&kind, "agent", "", a.say("diagnose.flag_agent"))
	cmd.Flags().StringVar(&session, "session", "", a.say("diagnose.flag_session"))
	_ = cmd.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions([]string{string(agent.OpenCode)}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func diagnosed(line []byte, s diagnose.Scope) any {
	f, why := diagnose.Read(line, s)
	if why != "" {
		return ignoredLine{why}
	}
	d := f.Diagnostic
	shown := diagnosticShown{
		Source: d.Source, Message: d.Message, OccurredAt: d.OccurredAt,
		Provider: textOrNull(d.ProviderID), Model: textOrNull(d.ModelID), Link: textOrNull(d.RemediationURL),
	}
	if !d.ResetAt.IsZero() {
		shown.ResetAt = &d.ResetAt
	}
	return diagnosticLine{shown}
}

// textOrNull is a text, nil where there is none.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (a *app) remediationCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remediation", Short: a.say("remediation.short"), Long: a.say("remediation.long"), Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.eachLine(func(out *jsonl, line []byte) bool {
				out.put(okLine{redact.Remediation(string(line))})
				return true
			})
		},
	}
}

func (a *app) sanitizeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "sanitize", Short: a.say("sanitize.short"), Long: a.say("sanitize.long"), Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.eachLine(func(out *jsonl, line []byte) bool {
				var raw *string
				if json.Unmarshal(line, &raw) != nil || raw == nil {
					out.put(refusedLine{a.say("sanitize.bad_line")})
					return false
				}
				out.put(redact.Text(*raw))
				return true
			})
		},
	}
}

// eachLine answers every line of stdin, blank ones too, with one line, as soon as
// it is there. The bytes of a line are given as they came, without their end; of a
// line that is too long to be read none are. The exit status says if a line was
// refused.
func (a *app) eachLine(answer func(out *jsonl, line []byte) bool) error {
	in := newIntake(a.env.In)
	out := jsonl{w: a.env.Out}
	bad := 0
	for out.err == nil {
		line, err := in.line()
		switch {
		case errors.Is(err, errTooLong):
			line = bytes.Repeat([]byte{'x'}, diagnose.LongestLine+1) // what every command refuses
		case err != nil:
			return broken(fmt.Errorf("read line: %w", err))
		case line == nil:
			if bad > 0 {
				return broken(errors.New(a.words.Say("cli.bad_lines", locale.Args{"count": strconv.Itoa(bad)})))
			}
			return nil
		}
		if !answer(&out, bytes.TrimSuffix(line, []byte{'\n'})) {
			bad++
		}
	}
	return broken(out.err)
}
