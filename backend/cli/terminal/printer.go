package terminal

import (
	"io"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/locale"
	"turnwatch/backend/view"
)

// Printer draws the facts of one turn, in order, as a page that only grows:
// streamed text, thoughts behind a margin, a line for each tool call once it is
// over, plans, requests and how it all ended. On a terminal one live line below
// tells what is at work.
type Printer struct {
	page  page
	words *locale.Words
	turn  view.Turn
	clean Cleaner

	block   uint64 // the streamed part that the page is at; 0 for none
	drawn   map[uint64]bool
	planned []agent.PlanEntry // the plan as it stands on the page
	begun   bool              // something stands on the page
	steps   int               // without output, as last told
}

// NewPrinter draws on w in the given look.
func NewPrinter(w io.Writer, look Look, words *locale.Words) *Printer {
	return &Printer{page: page{w: w, look: look}, words: words, drawn: map[uint64]bool{}}
}

// Err is the first error of the writer. After it nothing is drawn.
func (p *Printer) Err() error { return p.page.err }

// Resize sets another width.
func (p *Printer) Resize(width int) { p.page.look.Width = width }

// Entries draws a batch of entries.
func (p *Printer) Entries(entries []agent.Entry) {
	for _, e := range entries {
		change := p.turn.Apply(e)
		if change.Piece != nil {
			p.piece(change)
			continue
		}
		p.fact(e)
	}
	if n := len(entries); n > 0 {
		p.Tick(entries[n-1].At)
	}
}

// piece draws a change of the transcript. The prompt is the user's own and is
// not told back.
func (p *Printer) piece(c view.Change) {
	switch c.Piece.Part.Kind {
	case agent.PartText, agent.PartThought:
		p.text(c)
	case agent.PartTool:
		if !c.Piece.Part.Tool.Status.Open() {
			p.tool(c.Piece)
		}
	case agent.PartPlan:
		p.plan(c.Piece.Part.Plan)
	}
}

// text streams what is new of a message or thought. One that was taken back is
// told again, whole.
func (p *Printer) text(c view.Change) {
	part := c.Piece.Part
	if c.Added == "" && len(part.Blocks) == 0 {
		return
	}
	if p.block != part.Seq || c.Replaced {
		p.section()
		p.block, p.clean = part.Seq, Cleaner{}
		switch {
		case part.Kind == agent.PartThought:
			p.page.begin(Dim, p.page.look.signs().bar+" ")
		case part.Marked:
			p.page.begin(Yellow, "")
		default:
			p.page.begin(None, "")
		}
	}
	p.page.stream(p.clean.Clean(c.Added))
	if c.Fresh {
		for _, b := range part.Blocks {
			p.page.stream(p.block2text(b))
		}
	}
}

// block2text names a block that is not text.
func (p *Printer) block2text(b agent.Block) string {
	return "[" + p.words.Say("block."+blockWord(b.Kind), locale.Args{
		"name": OneLine(b.Name), "uri": OneLine(b.URI), "mime": OneLine(b.Mime),
	}) + "]"
}

// section parts what comes from what stands.
func (p *Printer) section() {
	p.page.fresh()
	p.block = 0
	if p.begun {
		p.page.write("\n")
	}
	p.begun = true
}

// closeBlock ends streamed text; the line that comes stands close to the lines
// of its kind and apart from text.
func (p *Printer) closeBlock() {
	if p.block != 0 || !p.begun {
		p.section()
		return
	}
	p.page.fresh()
}

// fact draws the facts beside the transcript.
func (p *Printer) fact(e agent.Entry) {
	switch f := e.Fact.(type) {
	case agent.SessionReady:
		p.ready(f.Info)
	case agent.CancelStepped:
		p.remark(Dim, "cancel."+string(f.Step), nil)
	case agent.RetryAnnounced:
		p.retry(f)
	case agent.RetryPlanned:
		p.again(f)
	case agent.RetryDropped:
		p.notAgain(f)
	case agent.Noticed:
		p.notice(f.Notice)
	case agent.NoticeChanged:
		p.noticeChanged(f.Notice)
	case agent.TurnSettled, agent.OpenRefused:
		p.leftOpen()
	}
}

// remark is a sentence of our own, on a line of its own.
func (p *Printer) remark(s Style, key string, args locale.Args) {
	p.closeBlock()
	p.page.para("", s, p.words.Say(key, args))
}

// Prompt draws what the user asked.
func (p *Printer) Prompt(text string) {
	p.section()
	p.page.para(p.page.look.signs().now+" ", Bold, Clean(text))
}

// Remark draws a sentence about the run.
func (p *Printer) Remark(key string, args locale.Args) {
	p.page.para("", Dim, p.words.Say(key, args))
}

// Break ends the line in hand, so that somebody else may write below it.
func (p *Printer) Break() {
	p.page.fresh()
	p.block = 0
}

func (p *Printer) ready(info agent.SessionInfo) {
	name := OneLine(info.Agent + " " + info.Version)
	for _, o := range info.Options {
		if o.Category == "model" && o.Current != "" {
			name += " · " + OneLine(o.Current)
		}
	}
	if name == "" {
		return
	}
	p.begun = true
	p.page.line(piece{style: Dim, text: name, give: true})
}

func (p *Printer) retry(f agent.RetryAnnounced) {
	args := locale.Args{"attempt": itoa(f.Attempt)}
	if f.Message != "" {
		args["why"] = OneLine(f.Message)
	} else if f.Code != "" {
		args["why"] = p.words.Say("failure."+string(f.Code), nil)
	}
	if f.Next.IsZero() {
		p.remark(Dim, "retry.announced", args)
		return
	}
	args["time"] = p.words.When(f.Next.Local(), f.Next.Local(), time.TimeOnly)
	p.remark(Dim, "retry.announced_until", args)
}

// leftOpen draws the tool calls that a turn ended without closing.
func (p *Printer) leftOpen() {
	for _, piece := range p.turn.OpenTools() {
		p.tool(piece)
	}
	p.page.fresh()
	p.block = 0
}
