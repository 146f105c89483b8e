package window

import (
	"strings"

	"turnwatch/backend/agent"
)

// ops gathers what has changed in a transcript since the last batch: however
// often a part changes, it is told once. The zero value is ready.
type ops struct {
	order []uint64
	by    map[uint64]*op
}

// op is the change of one part: set whole, or text added to it.
type op struct {
	set    *held
	offset int
	add    strings.Builder
}

func (o *ops) of(seq uint64) *op {
	if x, ok := o.by[seq]; ok {
		return x
	}
	if o.by == nil {
		o.by = map[uint64]*op{}
	}
	x := &op{}
	o.by[seq] = x
	o.order = append(o.order, seq)
	return x
}

func (o *ops) set(h held) {
	x := o.of(h.Seq)
	x.set = &h
	x.add.Reset()
}

// extend adds text. Where a part was set, the text goes on behind that; else
// offset says where it belongs.
func (o *ops) extend(f agent.PartAppended) {
	_, there := o.by[f.Seq]
	x := o.of(f.Seq)
	if !there {
		x.offset = f.Offset
	}
	x.add.WriteString(f.Text)
}

func (o *ops) empty() bool { return len(o.order) == 0 }

// take gives the changes in view types, in the order in which the parts were
// first touched, and begins anew.
func (o *ops) take() []Op {
	if o.empty() {
		return nil
	}
	out := make([]Op, 0, len(o.order))
	for _, seq := range o.order {
		x := o.by[seq]
		if x.set == nil {
			out = append(out, Op{Seq: seq, Offset: x.offset, Add: x.add.String()})
			continue
		}
		h := *x.set
		h.Text += x.add.String()
		p := partOf(h, onScreen())
		out = append(out, Op{Set: &p})
	}
	*o = ops{}
	return out
}
