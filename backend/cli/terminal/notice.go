package terminal

import (
	"strconv"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/locale"
)

// notice draws a neutral remark about the turn.
func (p *Printer) notice(n agent.Notice) {
	if n.Kind == agent.NoticeLooping {
		p.steps, _ = strconv.Atoi(n.Args["steps"])
	}
	p.remark(Dim, "notice."+n.Kind, p.noticeArgs(n.Args))
}

// noticeChanged draws a notice anew. A page only grows, so that steps go on
// without output is told again only when there are twice as many.
func (p *Printer) noticeChanged(n agent.Notice) {
	if n.Kind == agent.NoticeLooping {
		if steps, _ := strconv.Atoi(n.Args["steps"]); steps < 2*p.steps {
			return
		}
	}
	p.notice(n)
}

// noticeArgs puts the arguments of a notice into words.
func (p *Printer) noticeArgs(in map[string]string) locale.Args {
	args := locale.Args{}
	for k, v := range in {
		args[k] = OneLine(v)
	}
	if kind, ok := in["kind"]; ok {
		args["kind"] = p.kind(kind)
	}
	if ms, err := strconv.ParseInt(in["was_ms"], 10, 64); err == nil {
		args["was"] = Took((time.Duration(ms) * time.Millisecond).Truncate(time.Second))
	}
	return args
}
