package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// seed fills a new history: so many tasks, the last of which has a transcript of
// so many parts.
func seed(ctx context.Context, dir, folder string, tasks, parts int) (err error) {
	s, _, err := history.Open(ctx, history.Options{Dir: dir})
	if err != nil {
		return fmt.Errorf("fill history: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close(ctx)) }()
	first := time.Now().Add(-time.Duration(tasks+1) * time.Minute)
	failed := make([]error, tasks)
	var work sync.WaitGroup
	room := make(chan struct{}, 100) // what is written together is one commit
	for i := range tasks {
		many := 2
		if i == tasks-1 {
			many = parts
		}
		room <- struct{}{}
		work.Go(func() {
			defer func() { <-room }()
			failed[i] = seedTask(ctx, s, folder, i+1, many, first.Add(time.Duration(i)*time.Minute))
		})
	}
	work.Wait()
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("fill history: %w", err)
	}
	return s.Flush(ctx)
}

// seedTask makes one task whose only turn has gone well.
func seedTask(ctx context.Context, s *history.Store, folder string, n, parts int, at time.Time) error {
	task, session := agent.TaskID(fmt.Sprintf("t%d", n)), agent.SessionID(fmt.Sprintf("s%d", n))
	err := s.CreateTask(ctx, history.Task{ID: task, Title: fmt.Sprintf("Task number %d", n), Dir: folder, CreatedAt: at})
	if err == nil {
		err = s.CreateSession(ctx, history.NewSession{ID: session, Task: task, Kind: agent.Demo, Dir: folder, CreatedAt: at})
	}
	if err != nil {
		return err
	}
	prompt := agent.Prompt{ID: "p1", Blocks: []agent.Block{agent.TextBlock(fmt.Sprintf("Do thing %d", n))}, At: at}
	facts := []agent.Fact{
		agent.TurnStarted{Generation: 1, Prompt: prompt},
		agent.PartSet{Part: agent.Part{Seq: 1, Generation: 1, Kind: agent.PartPrompt, Text: fmt.Sprintf("Do thing %d", n)}},
	}
	for i := 2; i <= parts; i++ {
		text := fmt.Sprintf("Part %d of the transcript. It has a line or two, and a `word` of code.\n\n- first\n- second", i)
		facts = append(facts, agent.PartSet{Part: agent.Part{Seq: uint64(i), Generation: 1, Kind: agent.PartText, Text: text}})
	}
	facts = append(facts,
		agent.TurnSettled{Outcome: agent.Completed, Stop: agent.EndTurn},
		agent.StateSet{Session: agent.SessionWaiting, Task: agent.TaskDone})
	entries := make([]agent.Entry, len(facts))
	for i, f := range facts {
		entries[i] = agent.Entry{Task: task, Session: session, Generation: 1, At: at, Fact: f}
	}
	stored := make(chan error, 1)
	s.Record(entries, true, func(err error) { stored <- err })
	return <-stored
}
