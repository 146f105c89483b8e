package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
)

// longestCall bounds the body of a call: twenty files of ten megabytes.
const longestCall = 300 << 20

// method is one bound method.
type method struct {
	name string
	f    reflect.Value
}

// bind lists the methods of the parts under the names that the window gives them:
// package.Type.Method.
func bind(parts ...any) map[string]method {
	out := map[string]method{}
	for _, part := range parts {
		v := reflect.ValueOf(part)
		for i := range v.NumMethod() {
			name := "window." + v.Type().Elem().Name() + "." + v.Type().Method(i).Name
			out[name] = method{name, v.Method(i)}
		}
	}
	return out
}

// reply is the answer to a call: a result, or an error as text.
type reply struct {
	Result any    `json:"result"`
	Error  string `json:"error,omitempty"`
}

// call runs one bound method.
func (b *Bridge) call(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Name string            `json:"name"`
		Args []json.RawMessage `json:"args"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestCall)).Decode(&asked); err != nil {
		http.Error(w, "call is not understood", http.StatusBadRequest)
		return
	}
	m, ok := b.bound[asked.Name]
	if !ok {
		http.Error(w, fmt.Sprintf("method '%s' not registered", asked.Name), http.StatusNotFound)
		return
	}
	out, err := json.Marshal(m.call(asked.Args))
	if err != nil {
		http.Error(w, "result cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(out)
}

// call turns the arguments into what the method takes, and its values into a
// reply. The texts are the real window's.
func (m method) call(args []json.RawMessage) reply {
	t := m.f.Type()
	if len(args) != t.NumIn() {
		return reply{Error: fmt.Sprintf("error parsing arguments: received %d arguments to method '%s', expected %d", len(args), m.name, t.NumIn())}
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		v := reflect.New(t.In(i))
		if err := json.Unmarshal(a, v.Interface()); err != nil {
			return reply{Error: "error parsing arguments: " + err.Error()}
		}
		in[i] = v.Elem()
	}
	var out reply
	for _, v := range m.f.Call(in) {
		if err, ok := v.Interface().(error); ok {
			return reply{Error: err.Error()}
		}
		if v.Type() != reflect.TypeFor[error]() {
			out.Result = v.Interface()
		}
	}
	return out
}
