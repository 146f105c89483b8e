package failure

import "turnwatch/backend/agent"

// What a wide field may still turn out to be.
var (
	limits    = []agent.Code{QuotaLimited, RateLimited, ProviderOverloaded, ModelCapacity, SubscriptionRequired}
	transport = []agent.Code{
		RateLimited, QuotaLimited, ProviderOverloaded, ModelCapacity, ProviderTimeout, ProviderUnavailable,
		AuthRequired, NetworkUnavailable, ModelUnavailable, ContextOverflow,
	}
	refusals = []agent.Code{ContextOverflow, ModelUnavailable, AuthRequired, MissingCredentials, QuotaLimited, SubscriptionRequired}
	doors    = []agent.Code{MissingCredentials, ModelUnavailable, SubscriptionRequired, QuotaLimited, ProviderNotConfigured}
	outages  = []agent.Code{
		ProviderOverloaded, ModelCapacity, NetworkUnavailable, ProviderTimeout, QuotaLimited, RateLimited,
		ContextOverflow, ModelUnavailable,
	}
)

// typedRules read fields that have a closed set of values.
var typedRules = []rule{
	{id: "rpc.cancelled", rank: typed, any: []string{`"code":-32800`, `messageabortederror`}},

	{id: "claude.kind.auth", rank: typed, agent: agent.Claude, then: AuthRequired, admits: doors,
		any: []string{`"errorkind":"authentication_failed"`, `"error":"authentication_failed"`, `"errorkind":"oauth_org_not_allowed"`}},
	{id: "claude.kind.billing", rank: typed, agent: agent.Claude, then: QuotaLimited, admits: []agent.Code{SubscriptionRequired}, window: true,
		any: []string{`"errorkind":"billing_error"`, `"error":"billing_error"`, `"errorkind":"account_on_hold"`, `"error":"account_on_hold"`}},
	{id: "claude.kind.verify", rank: typed, agent: agent.Claude, then: SubscriptionRequired,
		any: []string{`"errorkind":"verification_required"`, `"error":"verification_required"`}},
	{id: "claude.kind.cloud", rank: typed, agent: agent.Claude, then: MissingCredentials, admits: []agent.Code{AuthRequired},
		any: []string{`"errorkind":"cloud_credential_error"`, `"error":"cloud_credential_error"`}},
	{id: "claude.kind.rate_limit", rank: typed, agent: agent.Claude, then: RateLimited, admits: limits,
		any: []string{`"errorkind":"rate_limit"`, `"error":"rate_limit"`}},
	{id: "claude.kind.overloaded", rank: typed, agent: agent.Claude, then: ProviderOverloaded,
		any: []string{`"errorkind":"overloaded"`, `"error":"overloaded"`}},
	{id: "claude.kind.invalid", rank: typed, agent: agent.Claude, then: InvalidRequest, admits: refusals,
		any: []string{`"errorkind":"invalid_request"`, `"error":"invalid_request"`}},
	{id: "claude.kind.model", rank: typed, agent: agent.Claude, then: ModelUnavailable,
		any: []string{`"errorkind":"model_not_found"`, `"error":"model_not_found"`}},
	{id: "claude.kind.server", rank: typed, agent: agent.Claude, then: ProviderUnavailable, admits: outages,
		any: []string{`"errorkind":"server_error"`, `"error":"server_error"`}},
	{id: "claude.kind.worker", rank: typed, agent: agent.Claude, then: AgentTransportLost, admits: []agent.Code{AgentCrashed},
		any: []string{`"errorkind":"transport_lost"`, `"errorkind":"worker_shutdown"`}},
	{id: "claude.window.rejected", rank: typed, agent: agent.Claude, then: QuotaLimited, window: true,
		any: []string{`"status":"rejected"*"ratelimittype":~`, `"ratelimittype":~*"status":"rejected"`}},

	{id: "codex.kind.usage", rank: typed, agent: agent.Codex, then: QuotaLimited, window: true,
		any: []string{"usagelimitexceeded", "usage_limit_exceeded", "sessionbudgetexceeded", "session_budget_exceeded"}},
	{id: "codex.kind.rate", rank: typed, agent: agent.Codex, then: RateLimited, admits: limits,
		any: []string{`"codexerrorinfo":"ratelimitexceeded"`, `"codex_error_info":"rate_limit_exceeded"`}},
	{id: "codex.kind.policy", rank: typed, agent: agent.Codex, then: InvalidRequest,
		any: []string{`"codexerrorinfo":"cyberpolicy"`, `"codexerrorinfo":"misalignmentpolicyviolation"`, `"codex_error_info":"cyber_policy"`}},
	{id: "codex.kind.overloaded", rank: typed, agent: agent.Codex, then: ProviderOverloaded, admits: []agent.Code{ModelCapacity},
		any: []string{"serveroverloaded", "server_overloaded"}},
	{id: "codex.kind.context", rank: typed, agent: agent.Codex, then: ContextOverflow,
		any: []string{"contextwindowexceeded", "context_window_exceeded"}},
	{id: "codex.kind.unauthorized", rank: typed, agent: agent.Codex, then: AuthRequired, admits: doors,
		any: []string{`"codexerrorinfo":"unauthorized"`, `"codex_error_info":"unauthorized"`}},
	{id: "codex.kind.bad_request", rank: typed, agent: agent.Codex, then: InvalidRequest, admits: refusals,
		any: []string{`"codexerrorinfo":"badrequest"`, `"codex_error_info":"bad_request"`}},
	{id: "codex.kind.server", rank: typed, agent: agent.Codex, then: ProviderUnavailable, admits: outages,
		any: []string{"internalservererror", `"codex_error_info":"internal_server_error"`}},
	{id: "codex.kind.connection", rank: typed, agent: agent.Codex, then: NetworkUnavailable, admits: transport,
		any: []string{
			"httpconnectionfailed", "http_connection_failed", "responsestreamconnectionfailed",
			"response_stream_connection_failed", "responsestreamdisconnected", "response_stream_disconnected",
		}},
	{id: "codex.kind.attempts", rank: typed, agent: agent.Codex, then: ProviderUnavailable, admits: transport,
		any: []string{"responsetoomanyfailedattempts", "response_too_many_failed_attempts"}},

	{id: "session_failure.limit", rank: typed, then: RateLimited, admits: append(limits[:len(limits):len(limits)], ContextOverflow),
		any: []string{`"sessionfailure":~*"category":"limit"`}},
	{id: "session_failure.auth", rank: typed, then: AuthRequired, admits: doors,
		any: []string{`"sessionfailure":~*"category":"auth"`, `"sessionfailure":~*"category":"authentication"`, `"sessionfailure":~*"category":"access"`}},
	{id: "session_failure.request", rank: typed, then: InvalidRequest, admits: refusals,
		any: []string{`"sessionfailure":~*"category":"request"`}},
	{id: "claude.session_failure.connection", rank: typed, agent: agent.Claude, then: AgentTransportLost, admits: []agent.Code{AgentCrashed},
		any: []string{`"sessionfailure":~*"category":"connection"`}},
	{id: "codex.session_failure.connection", rank: typed, agent: agent.Codex, then: NetworkUnavailable, admits: transport,
		any: []string{`"sessionfailure":~*"category":"connection"`}},
	{id: "session_failure.service", rank: typed, then: ProviderUnavailable, admits: append(outages[:len(outages):len(outages)], InvalidRequest),
		any: []string{`"sessionfailure":~*"category":"service"`}},

	{id: "opencode.type.limit", rank: typed, agent: agent.OpenCode, then: QuotaLimited, window: true,
		any: []string{"gousagelimiterror", "freeusagelimiterror", "userlimiterror", "monthlylimiterror", "subscriptionusagelimiterror"}},
	{id: "opencode.type.credits", rank: typed, agent: agent.OpenCode, then: QuotaLimited, window: true, admits: []agent.Code{SubscriptionRequired},
		any: []string{"creditserror"}},
	{id: "type.model", rank: typed, then: ModelUnavailable,
		any: []string{`"type":"modelerror"`, `'type':'modelerror'`, "providermodelnotfounderror", `"code":"model_not_found"`, `'code':'model_not_found'`}},
	{id: "type.quota", rank: typed, then: QuotaLimited,
		any: []string{`"type":"usage_limit_reached"`, `"code":"usage_limit_reached"`, "insufficient_quota", "insufficient_user_quota", "exceeded_current_quota_error"}},
	{id: "type.context", rank: typed, then: ContextOverflow,
		any: []string{"context_length_exceeded", "contextwindowexceedederror", "exceed_context_size_error", "contextlengthexceeded"}},
	{id: "type.overloaded", rank: typed, then: ProviderOverloaded,
		any: []string{"overloaded_error", "engine_overloaded_error"}},
	{id: "type.capacity", rank: typed, then: ModelCapacity,
		any: []string{"model_capacity_exhausted"}},
}
