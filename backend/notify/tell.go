package notify

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"turnwatch/backend/agent"
	"turnwatch/backend/failure"
	"turnwatch/backend/view"
)

// Effect is what is to be done with the screen: Show or Withdraw.
type Effect interface{ effect() }

type (
	// Show puts a notification on the screen, in the place of one with the same ID.
	Show struct {
		ID    string
		Kind  Kind
		Title view.Phrase // Text is a title as it stands, where the key is ""
		Text  string
		Body  view.Phrase
		Task  agent.TaskID // what its action opens; "" for the window alone
	}
	// Withdraw takes a notification off the screen.
	Withdraw struct{ ID string }
)

func (Show) effect()     {}
func (Withdraw) effect() {}

// most is how many notifications of one kind stand beside each other; more become
// one.
const most = 2

// longestTitle is how many characters of a task's title are shown.
const longestTitle = 80

// tell shows what is new of one kind: by itself, or, where that would pile up, one
// notification for all.
func (d *Desk) tell(k Kind, fresh []*task) []Effect {
	group := "kind-" + string(k)
	about := map[agent.TaskID]bool{}
	for _, n := range d.shown {
		for _, id := range n.about {
			about[id] = about[id] || n.kind == k
		}
	}
	for _, t := range fresh {
		about[t.brief.Task] = true
	}
	maps.DeleteFunc(about, func(_ agent.TaskID, mine bool) bool { return !mine })
	ids := slices.Sorted(maps.Keys(about))
	if len(ids) == 1 || len(ids) <= most && len(fresh) == 1 && d.shown[group] == nil {
		t := fresh[0]
		return d.put(alone(t.brief.Task), []agent.TaskID{t.brief.Task}, single(k, t.brief))
	}
	return d.put(group, ids, several(k, len(ids)))
}

// put shows a notification and takes back what it stands for.
func (d *Desk) put(name string, ids []agent.TaskID, s Show) []Effect {
	var out []Effect
	for _, id := range ids {
		for _, e := range d.withdraw(id) {
			if e != (Withdraw{name}) { // its place is taken, not cleared
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(a, b Effect) int { return cmp.Compare(a.(Withdraw).ID, b.(Withdraw).ID) })
	d.shown[name] = &note{s.Kind, ids}
	return append(out, s)
}

func alone(id agent.TaskID) string { return "task-" + string(id) }

// single is about one task.
func single(k Kind, b view.Brief) Show {
	s := Show{ID: alone(b.Task), Kind: k, Text: view.Tidy(b.Title, longestTitle), Task: b.Task}
	if s.Text == "" {
		s.Title = view.Phrase{Key: "notify.untitled"}
	}
	agent := map[string]string{"agent": b.Agent}
	switch {
	case k == CapacityBack:
		s.Body = view.Phrase{Key: "notify.capacity_back", Args: agent}
	case k == Finished:
		s.Body = view.Phrase{Key: "notify.finished", Args: agent}
	case k == Limited && !b.Ended.Reset.IsZero():
		agent["reset"] = strconv.FormatInt(b.Ended.Reset.UnixMilli(), 10)
		s.Body = view.Phrase{Key: "notify.limited_until", Args: agent}
	case k == Limited:
		s.Body = view.Phrase{Key: "failure." + string(failure.QuotaLimited), Args: agent}
	case b.Detail.Key != "":
		s.Body = b.Detail
	default:
		s.Body = view.Phrase{Key: "notify.look", Args: agent}
	}
	return s
}

// several is about more than one task.
func several(k Kind, n int) Show {
	count := map[string]string{"Count": strconv.Itoa(n)}
	key := map[Kind]string{
		Asks: "notify.many_ask", Limited: "notify.many_limited", Failed: "notify.many_failed", NeverStarted: "notify.many_failed",
		CapacityBack: "notify.many_back", Finished: "notify.many_finished",
	}[k]
	return Show{ID: "kind-" + string(k), Kind: k, Title: view.Phrase{Key: key, Args: count}, Body: view.Phrase{Key: "notify.many_body"}}
}
