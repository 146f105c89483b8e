package provider

import "strconv"

// encoder writes a model's answer in one dialect. An encoder is used for one
// answer, by one goroutine, in the order open, any of the middle ones, close.
type encoder interface {
	open() []event
	say(text string) []event
	think(text string) []event
	use(c call) []event
	close(f finish, u usage) []event
	fail(message, code string) []event // in place of close
	whole(r reply) any                 // the answer of a client that does not stream
}

// event is one server-sent event. Data is JSON, or text as it is.
type event struct {
	name string
	data any
	text string
}

// newEncoder makes the encoder of a dialect. n tells one answer from another.
func newEncoder(a ask, n int, created int64) encoder {
	id := "fake" + strconv.Itoa(n)
	model := a.model
	if model == "" {
		model = "fake-model"
	}
	switch a.dialect {
	case Messages:
		return &messagesEncoder{id: id, model: model}
	case Responses:
		return &responsesEncoder{id: id, model: model, created: created}
	case Gemini:
		return &geminiEncoder{id: id, model: model}
	default:
		return &chatEncoder{id: id, model: model, created: created}
	}
}

// callID names the i-th call of an answer.
func callID(answer string, i int) string { return "call_" + answer + "_" + strconv.Itoa(i) }
