package provider

import (
	"strings"
	"time"
)

// answer is what is to be done about a request: a plain HTTP answer where status
// is set, else the steps of a model's answer.
type answer struct {
	status      int
	contentType string
	header      map[string]string
	body        string
	steps       []step
}

// step is one thing done in order. The sum of kinds is closed.
type step struct {
	kind  stepKind
	text  string        // of say, think, raw and fail
	call  call          // of use
	end   finish        // of end
	usage usage         // of end
	wait  time.Duration // after say and think; between drips
}

type stepKind string

const (
	head   stepKind = "head"  // the headers, which any later step sends as well
	say    stepKind = "say"   // a piece of text
	think  stepKind = "think" // a piece of reasoning
	use    stepKind = "use"   // a tool call
	end    stepKind = "end"   // the finish reason and all that belongs to an end
	fail   stepKind = "fail"  // an error inside the stream
	raw    stepKind = "raw"   // bytes as they are
	drip   stepKind = "drip"  // comments (or, with text, empty pieces) for ever
	hang   stepKind = "hang"  // nothing, until the client or the provider goes
	cut    stepKind = "cut"   // the connection closes without an end
	cutRST stepKind = "reset" // the connection is reset
)

// finish is why a model stopped, in words of its own; each dialect translates.
type finish string

const (
	finishStop   finish = "stop"
	finishTools  finish = "tools"
	finishLength finish = "length"
	finishFilter finish = "filter"
	finishNull   finish = "null"  // none is given
	finishWeird  finish = "weird" // one that nobody knows
)

// usage is in tokens.
type usage struct{ in, out int }

// sentence cuts a text into the pieces that are streamed.
func sentence(text string) []string {
	return strings.SplitAfter(text, " ")
}

// reply is a whole answer, for clients that do not stream.
type reply struct {
	text    string
	thought string
	calls   []call
	end     finish
	usage   usage
}

// whole collects steps up to the first one that is no content. rest is that
// step and what follows it.
func whole(steps []step) (r reply, rest []step) {
	r.end = finishNull
	for i, s := range steps {
		switch s.kind {
		case head:
		case say:
			r.text += s.text
		case think:
			r.thought += s.text
		case use:
			r.calls = append(r.calls, s.call)
		case end:
			r.end, r.usage = s.end, s.usage
		default:
			return r, steps[i:]
		}
	}
	return r, nil
}
