package demo

import "time"

// script finds what a scenario does. It returns nil for a good end, a *failure
// for an error answer, ErrCrashed, or the error of the turn's context.
func script(name string) func(*turn) error {
	scripts := map[string]func(*turn) error{
		"ok":               playOK,
		"tools":            playTools,
		"plan":             playPlan,
		"diff":             playDiff,
		"permission":       playPermission,
		"long-quiet-tool":  playLongQuietTool,
		"never-starts":     (*turn).forever,
		"limit":            playLimit,
		"overload":         playOverload,
		"overload-passes":  playOverloadPasses,
		"overload-asks":    playOverloadAsks,
		"title-error":      playTitleError,
		"other-session":    playOtherSession,
		"action-url":       playActionURL,
		"retry-heals":      playRetryHeals,
		"loop":             playLoop,
		"auth":             playOK, // once somebody is logged in
		"empty-end":        func(t *turn) error { return t.wait(time.Second) },
		"crash":            playCrash,
		"secrets":          playSecrets,
		"flood":            playFlood,
		"stream":           playStream,
		"hostile-markdown": playHostileMarkdown,
		"ignores-cancel":   playIgnoresCancel,
		"completes":        playCompletes,
	}
	if s := playStumble(name); s != nil {
		return s
	}
	return scripts[name]
}

// playOK is the plain good answer.
func playOK(t *turn) error {
	if err := t.think("The question is simple. A short answer will do. "); err != nil {
		return err
	}
	if err := t.wait(400 * time.Millisecond); err != nil {
		return err
	}
	return t.say("This is the demo agent of Turnwatch. It has no model behind it, needs no key and costs nothing. " +
		"It plays one scenario for each prompt, so that you can see what a real agent would look like when things go well and when they do not.\n\n" +
		"Try `/tools` for tool calls, `/permission` for a request that waits for you, or `/limit` for an agent that has run into a usage limit. " +
		"Every scenario is listed as a command and as a model.\n")
}

// playPlan writes a plan and works through it.
func playPlan(t *turn) error {
	steps := planSteps()
	if err := t.say("I will do this in four steps. "); err != nil {
		return err
	}
	for done := 0; done <= len(steps); done++ {
		u := planUpdate{SessionUpdate: "plan"}
		for i, s := range steps {
			e := planEntry{Content: s, Status: "pending", Priority: "medium"}
			switch {
			case i < done:
				e.Status = "completed"
			case i == done:
				e.Status = "in_progress"
			}
			if i == 2 {
				e.Priority = "high"
			}
			u.Entries = append(u.Entries, e)
		}
		if err := t.send(u); err != nil {
			return err
		}
		if err := t.wait(1200 * time.Millisecond); err != nil {
			return err
		}
	}
	t.next()
	return t.say("All four steps are done. The parser took 29 February for an error in years that end in 00; it now asks the calendar.\n")
}

// playLoop repeats a step under ever new message ids.
func playLoop(t *turn) error {
	for {
		t.next()
		if err := t.chunk("agent_message_chunk", "Let me look at that once more."); err != nil {
			return err
		}
		if err := t.hold(700 * time.Millisecond); err != nil {
			return err
		}
	}
}

// playFlood sends updates as fast as they go.
func playFlood(t *turn) error {
	for range FloodUpdates {
		if err := t.chunk("agent_message_chunk", "drip "); err != nil {
			return err
		}
	}
	return nil
}

// FloodUpdates is how many updates the flood scenario sends.
const FloodUpdates = 100_000

// The stream scenario: how many updates it sends, how often, and how many of them
// make a message.
const (
	StreamUpdates = 30_000
	streamEvery   = 2 * time.Millisecond
	streamMessage = 60
)

// playStream sends the time of day, update for update when it is due. What is late
// is sent at once, so that the rate stays what it is on a busy machine.
func playStream(t *turn) error {
	began := t.p.o.Clock.Now()
	for i := range StreamUpdates {
		due := began.Add(t.paced(time.Duration(i) * streamEvery))
		if err := t.hold(due.Sub(t.p.o.Clock.Now())); err != nil {
			return err
		}
		if i%streamMessage == 0 {
			t.next()
		}
		if err := t.chunk("agent_message_chunk", t.p.o.Clock.Now().Format("15:04:05.000 ")); err != nil {
			return err
		}
	}
	return nil
}

// playCrash ends the program in the middle of a sentence.
func playCrash(t *turn) error {
	if err := t.say("Let me start with the configuration, it looks as if "); err != nil {
		return err
	}
	t.p.err.print("panic: runtime error: index out of range [3] with length 3\n\n" +
		"goroutine 1 [running]:\n" +
		"demo/agent.(*loop).step(0xc000124000)\n\tdemo/agent/loop.go:142 +0x1d4\n" +
		"demo/agent.(*loop).run(0xc000124000)\n\tdemo/agent/loop.go:87 +0x5c\n" +
		"main.main()\n\tdemo/main.go:31 +0x99\n")
	return ErrCrashed
}

// playIgnoresCancel goes on whatever it is told; only the end of the program
// ends it, because the turn does not listen to a cancel.
func playIgnoresCancel(t *turn) error {
	if err := t.say("I am busy and will not be interrupted. "); err != nil {
		return err
	}
	return t.forever()
}
