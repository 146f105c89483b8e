package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/locale"
	"turnwatch/backend/policy/detect"
)

// matchLine is the answer of a detector.
type matchLine struct {
	Match bool `json:"match"`
}

func (a *app) detectCommand() *cobra.Command {
	var name string
	names := locale.Args{"names": strings.Join(detect.Names(), ", ")}
	cmd := &cobra.Command{
		Use: "detect --detector NAME", Short: a.say("detect.short"), Long: a.say("detect.long"), Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			if name == "" {
				return usage(errors.New(a.words.Say("detect.missing", names)))
			}
			if _, known := detect.Match(name, ""); !known {
				return usage(errors.New(a.words.Say("detect.unknown", locale.Args{"name": terminal.OneLine(name), "names": names["names"]})))
			}
			return a.eachLine(func(out *jsonl, line []byte) bool { return a.detected(out, line, name) })
		},
	}
	cmd.Flags().StringVar(&name, "detector", "", a.words.Say("detect.flag_detector", names))
	_ = cmd.RegisterFlagCompletionFunc("detector", cobra.FixedCompletions(detect.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// detected answers one line; false where it can't be read.
func (a *app) detected(out *jsonl, line []byte, name string) bool {
	if len(bytes.TrimSpace(line)) == 0 {
		return true
	}
	var asked struct {
		Text *string `json:"text"`
	}
	if json.Unmarshal(line, &asked) != nil || asked.Text == nil {
		out.put(refusedLine{a.say("detect.bad_line")})
		return false
	}
	match, _ := detect.Match(name, *asked.Text)
	out.put(matchLine{match})
	return true
}
