package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"turnwatch/backend/cli/terminal"
	"turnwatch/backend/history"
	"turnwatch/backend/locale"
)

// exportFlags are the flags of tw export.
type exportFlags struct {
	out   string
	json  bool
	texts bool
}

// exportCommand writes a redacted bundle of one incident. Like tw history it only
// reads the record.
func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use: "export ID", Short: a.say("export.short"), Long: a.say("export.long"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return usage(errors.New(a.words.Say("export.one_id", locale.Args{"count": strconv.Itoa(len(args))})))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return broken(a.export(cmd.Context(), f, args[0]))
		},
	}
	cmd.Flags().StringVarP(&f.out, "output", "o", "", a.say("flag.output"))
	cmd.Flags().BoolVar(&f.json, "json", false, a.say("flag.export_json"))
	cmd.Flags().BoolVar(&f.texts, "texts", false, a.say("flag.texts"))
	return cmd
}

func (a *app) export(ctx context.Context, f exportFlags, id string) (err error) {
	dir, err := a.folder()
	if err != nil {
		return err
	}
	log, err := a.logger()
	if err != nil {
		return err
	}
	store, err := history.OpenReader(ctx, history.Options{Dir: dir, Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(ctx)) }()
	b, err := a.bundleOf(ctx, store, strings.TrimSpace(id), f.texts)
	if upper := strings.ToUpper(strings.TrimSpace(id)); errors.Is(err, history.ErrNotFound) && upper != id {
		b, err = a.bundleOf(ctx, store, upper, f.texts)
	}
	if errors.Is(err, history.ErrNotFound) {
		return errors.New(a.words.Say("export.nothing", locale.Args{"id": terminal.OneLine(id)}))
	}
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		if !f.json {
			return a.page(w, b)
		}
		out := jsonl{w: w}
		out.put(b)
		return out.err
	}
	if f.out == "" || f.out == "-" {
		return write(a.env.Out)
	}
	return a.writeNew(f.out, write)
}

// writeNew writes a file that was not there. One that is there stays as it is, and
// of one that could not be written whole nothing is left.
func (a *app) writeNew(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return errors.New(a.words.Say("export.there", locale.Args{"file": terminal.OneLine(path)}))
	}
	if err != nil {
		return fmt.Errorf("make file: %w", err)
	}
	if err = errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("write file: %w", errors.Join(err, os.Remove(path)))
	}
	return nil
}
