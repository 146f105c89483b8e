package history_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"turnwatch/backend/agent"
	"turnwatch/backend/history"
)

// words makes a text of n words that differ, as an index of words sees them.
func words(seed, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", (seed*31+i*17)%5000)
	}
	return b.String()
}

const benchWords = 16 // about 130 bytes a part

// benchTexts are texts made beforehand, so that making them is not measured.
func benchTexts() []string {
	out := make([]string, 1000)
	for i := range out {
		out[i] = words(i, benchWords)
	}
	return out
}

// BenchmarkAppend tells how many parts a second are on the disk. ours: new parts
// as the machine records them, one batch each, grouped by the writer. stream: the
// same by PartAppended. indexed: ours, until all can be found by its words. raw: a
// bare loop of 1000 inserts a transaction. single: a transaction for each insert.
func BenchmarkAppend(b *testing.B) {
	say := benchTexts()
	b.Run("ours", func(b *testing.B) {
		benchRecord(b, false, func(seq uint64) agent.Fact { return text(seq, say[seq%1000]) })
	})
	b.Run("indexed", func(b *testing.B) {
		benchRecord(b, true, func(seq uint64) agent.Fact { return text(seq, say[seq%1000]) })
	})
	b.Run("stream", func(b *testing.B) {
		benchRecord(b, false, func(seq uint64) agent.Fact {
			if seq%100 == 1 {
				return text(seq, say[seq%1000])
			}
			return agent.PartAppended{Seq: seq - (seq-1)%100, Text: say[seq%1000]}
		})
	})
	b.Run("raw", func(b *testing.B) { benchInsert(b, say, 1000) })
	b.Run("single", func(b *testing.B) { benchInsert(b, say, 1) })
}

// benchRecord records one fact a batch and never lets more than 20,000 wait, as
// a caller does that stops reading its agent.
func benchRecord(b *testing.B, indexed bool, fact func(uint64) agent.Fact) {
	p := mustPlace(b, b.TempDir())
	p.store(b, 1, agent.TurnStarted{Generation: 1, Prompt: prompt("p1", "go")})
	room := make(chan struct{}, 20000)
	b.ResetTimer()
	for n := range b.N {
		room <- struct{}{}
		p.Record(p.entries(1, fact(uint64(n+1))), true, func(err error) {
			if err != nil {
				b.Error(err)
			}
			<-room
		})
	}
	for range cap(room) { // all have been answered when the room is empty
		room <- struct{}{}
	}
	if indexed {
		require.NoError(b, p.Flush(context.Background()))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "parts/s")
}

func benchInsert(b *testing.B, say []string, each int) {
	file := filepath.Join(b.TempDir(), "raw.db")
	db, err := sql.Open("sqlite3", "file:"+file+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	require.NoError(b, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE parts (id INTEGER PRIMARY KEY, session INTEGER, seq INTEGER, text TEXT, UNIQUE (session, seq))")
	require.NoError(b, err)
	b.ResetTimer()
	for n := 0; n < b.N; {
		tx, err := db.Begin()
		require.NoError(b, err)
		stmt, err := tx.Prepare("INSERT INTO parts (session, seq, text) VALUES (1, ?, ?)")
		require.NoError(b, err)
		for range min(each, b.N-n) {
			if _, err := stmt.Exec(n, say[n%1000]); err != nil {
				b.Fatal(err)
			}
			n++
		}
		require.NoError(b, tx.Commit())
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "parts/s")
}

// BenchmarkFirstPage tells what the first screen costs in a small and in a big
// history: the newest tasks, the sessions of one, its newest turns and parts.
func BenchmarkFirstPage(b *testing.B) {
	for _, parts := range []int{1000, 1000000} {
		b.Run(fmt.Sprint(parts), func(b *testing.B) {
			s := benchHistory(b, parts)
			b.ResetTimer()
			for range b.N {
				firstPage(b, s)
			}
		})
	}
}

func firstPage(b *testing.B, s *history.Store) {
	ctx := b.Context()
	tasks, err := s.Tasks(ctx, history.TaskFilter{})
	require.NoError(b, err)
	require.NotEmpty(b, tasks)
	sessions, err := s.Sessions(ctx, tasks[0].ID)
	require.NoError(b, err)
	turns, err := s.Turns(ctx, sessions[0].ID, 0, 0)
	require.NoError(b, err)
	require.NotEmpty(b, turns)
	page, err := s.Parts(ctx, history.PartQuery{Session: sessions[0].ID, Backwards: true, Limit: 50})
	require.NoError(b, err)
	require.Len(b, page, 50)
}

// benchHistory holds parts in tasks of one session, one turn and 500 parts each,
// but never fewer than 50 tasks, so that the pages are equally full.
func benchHistory(b *testing.B, parts int) *history.Store {
	b.Helper()
	s, _ := mustOpen(b, history.Options{Dir: b.TempDir()})
	tasks := max(parts/500, 50)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for n := range tasks {
		at = at.Add(time.Minute)
		task, session := agent.TaskID(fmt.Sprintf("t%06d", n)), agent.SessionID(fmt.Sprintf("s%06d", n))
		require.NoError(b, s.CreateTask(b.Context(), history.Task{ID: task, Title: "Task", CreatedAt: at}))
		require.NoError(b, s.CreateSession(b.Context(), history.NewSession{ID: session, Task: task, Kind: agent.Demo, CreatedAt: at}))
		entry := func(f agent.Fact) agent.Entry {
			return agent.Entry{Task: task, Session: session, Generation: 1, At: at, Fact: f}
		}
		batch := []agent.Entry{entry(agent.TurnStarted{Generation: 1, Prompt: prompt("p", "go")})}
		count := parts / tasks
		if n == tasks-1 {
			count = max(count, 50)
		}
		for seq := range count {
			batch = append(batch, entry(text(uint64(seq+1), words(n+seq, 4))))
		}
		batch = append(batch, entry(agent.TurnSettled{Outcome: agent.Completed}))
		s.Record(batch, true, nil)
	}
	require.NoError(b, s.Flush(context.Background()))
	return s
}
