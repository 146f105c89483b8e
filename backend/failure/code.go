// Package failure is the one place that knows how agents and providers fail: the
// codes of the taxonomy, their classes and, later, the rules that find them in
// what an agent says.
//
// It is pure: it imports agent and redact, does no I/O and never blocks.
package failure

import "turnwatch/backend/agent"

// The codes of the taxonomy.
const (
	NetworkUnavailable     agent.Code = "network_unavailable"
	ProviderUnavailable    agent.Code = "provider_unavailable"
	ProviderOverloaded     agent.Code = "provider_overloaded"
	ProviderTimeout        agent.Code = "provider_timeout"
	ModelCapacity          agent.Code = "model_capacity"
	AgentTransportLost     agent.Code = "agent_transport_lost"
	RateLimited            agent.Code = "rate_limited"
	QuotaLimited           agent.Code = "quota_limited"
	SubscriptionRequired   agent.Code = "subscription_required"
	AuthRequired           agent.Code = "auth_required"
	MissingCredentials     agent.Code = "missing_credentials"
	ProviderNotConfigured  agent.Code = "provider_not_configured"
	ModelUnavailable       agent.Code = "model_unavailable"
	ContextOverflow        agent.Code = "context_overflow"
	InvalidRequest         agent.Code = "invalid_request"
	SessionLost            agent.Code = "session_lost"
	AgentCrashed           agent.Code = "agent_crashed"
	AgentStartFailed       agent.Code = "agent_start_failed"
	PermissionDeniedByUser agent.Code = "permission_denied_by_user"
	TaskError              agent.Code = "task_error"
	RepoError              agent.Code = "repo_error"
	UnknownProviderError   agent.Code = "unknown_provider_error"
)

// Class says what may be done about a failure.
type Class string

// Classes of failure.
const (
	Transient    Class = "transient"
	Hard         Class = "hard"
	Local        Class = "local"
	NotOurs      Class = "not_ours"
	Unclassified Class = "unclassified"
)

// Codes lists every code once, in the order of the taxonomy.
func Codes() []agent.Code {
	codes := make([]agent.Code, len(table))
	for i, row := range table {
		codes[i] = row.code
	}
	return codes
}

// ClassOf returns the class of a code. A code that is not of the taxonomy is
// Unclassified. RateLimited is hard here: it is transient only with a validated
// short wait, which the policy looks at.
func ClassOf(c agent.Code) Class {
	for _, row := range table {
		if row.code == c {
			return row.class
		}
	}
	return Unclassified
}

var table = []struct {
	code  agent.Code
	class Class
}{
	{NetworkUnavailable, Transient},
	{ProviderUnavailable, Transient},
	{ProviderOverloaded, Transient},
	{ProviderTimeout, Transient},
	{ModelCapacity, Transient},
	{AgentTransportLost, Transient},
	{RateLimited, Hard},
	{QuotaLimited, Hard},
	{SubscriptionRequired, Hard},
	{AuthRequired, Hard},
	{MissingCredentials, Hard},
	{ProviderNotConfigured, Hard},
	{ModelUnavailable, Hard},
	{ContextOverflow, Hard},
	{InvalidRequest, Hard},
	{SessionLost, Local},
	{AgentCrashed, Local},
	{AgentStartFailed, Local},
	{PermissionDeniedByUser, NotOurs},
	{TaskError, NotOurs},
	{RepoError, NotOurs},
	{UnknownProviderError, Unclassified},
}
