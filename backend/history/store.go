package history

import (
	"database/sql"
	"log/slog"
	"time"

	"turnwatch/backend/agent"
)

// Options say where the history lives and what it may use. Dir is made if it is
// missing. A nil Clock is the system's, a nil Log says nothing.
type Options struct {
	Dir   string
	Clock agent.Clock
	Log   *slog.Logger

	// OnHealth is told, from the writer goroutine, when writing fails and when it
	// works again. It must return at once.
	OnHealth func(Health)
}

// Opened says what had to be done to open the history.
type Opened struct {
	SetAside  string      // a damaged database was moved here
	Recovered []Recovered // turns made interrupted
	Migrated  bool        // the schema was brought up to date
	Backup    string      // the copy kept before that
}

// Health is how the writer fares. Err is nil while all is well, else an *Error.
type Health struct {
	Err     error
	Since   time.Time // of the first failure in a row
	Waiting int       // batches that wait to be stored
}

// Store is an open history. Its methods may be called from any goroutine.
type Store struct {
	folder  folder
	clock   agent.Clock
	log     *slog.Logger
	readers *sql.DB
	writer  *writer // nil in a reader
	owner   *owner  // nil in a reader
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = agent.SystemClock{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
