package failure

import "turnwatch/backend/agent"

// openCodeRules read the sentences of OpenCode and its gateway.
var openCodeRules = []rule{
	{id: "opencode.limit.window", rank: exact, agent: agent.OpenCode, then: QuotaLimited, window: true,
		any: []string{"hour usage limit reached", "weekly usage limit reached", "monthly usage limit reached", "usage limit has been reached"}},
	{id: "opencode.limit.free", rank: exact, agent: agent.OpenCode, then: QuotaLimited, window: true,
		any: []string{"free usage exceeded"}},
	{id: "opencode.overloaded", rank: exact, agent: agent.OpenCode, then: ProviderOverloaded,
		any: []string{"provider is overloaded"}},
	{id: "opencode.model.format", rank: exact, agent: agent.OpenCode, then: ModelUnavailable,
		any: []string{"is not supported for format"}},
	{id: "opencode.provider", rank: exact, agent: agent.OpenCode, then: ProviderNotConfigured,
		any: []string{"providerinit~", "provider not found"}},
	{id: "opencode.auth", rank: exact, agent: agent.OpenCode, then: AuthRequired,
		any: []string{"providerautherror"}},
	{id: "opencode.start", rank: exact, agent: agent.OpenCode, then: AgentStartFailed, when: comingUp,
		any: []string{"serveerror", "sqliteerror", "database disk image is malformed"}},
}

// claudeRules read Claude Code and its adapter.
var claudeRules = []rule{
	{id: "claude.limit.window", rank: exact, agent: agent.Claude, then: QuotaLimited, window: true,
		any:  []string{"hit your*limit", "limit reached", "usage limit reached", "out of extra usage", "limit will reset at"},
		none: []string{"approaching", "context limit reached", "rate limit reached"}},
	{id: "claude.credit", rank: exact, agent: agent.Claude, then: QuotaLimited, window: true,
		any: []string{"credit balance is too low", "credit balance too low"}},
	{id: "claude.login", rank: exact, agent: agent.Claude, then: AuthRequired,
		any: []string{"please run /login", "fix external api key", "oauth token has expired", "oauth token revoked", "invalid bearer token"}},
	{id: "claude.model", rank: exact, agent: agent.Claude, then: ModelUnavailable,
		any: []string{"issue with the selected model"}},
	{id: "claude.context", rank: exact, agent: agent.Claude, then: ContextOverflow,
		any: []string{"prompt is too long", "context limit reached"}},
	{id: "claude.idle", rank: exact, agent: agent.Claude, then: ProviderTimeout,
		any: []string{"stream idle timeout"}},
	{id: "claude.garbled", rank: exact, agent: agent.Claude, then: ProviderUnavailable,
		any: []string{"empty or malformed response"}},
	{id: "claude.start", rank: exact, agent: agent.Claude, then: AgentStartFailed, when: comingUp,
		any: []string{"claude code process exited with code"}},
	{id: "claude.crash", rank: exact, agent: agent.Claude, then: AgentCrashed, when: up,
		any: []string{"claude code process exited with code"}},
	{id: "claude.killed", rank: exact, agent: agent.Claude, then: AgentCrashed,
		any: []string{"claude agent process exited unexpectedly", "claude code process terminated by signal"}},
	{id: "claude.rejected", rank: exact, agent: agent.Claude, then: PermissionDeniedByUser,
		any: []string{"the user doesn't want to proceed with this tool use", "the user doesn't want to take this action"}},
}

// codexRules read Codex.
var codexRules = []rule{
	{id: "codex.limit", rank: exact, agent: agent.Codex, then: QuotaLimited, window: true,
		any:  []string{"hit your usage limit", "reached your usage limit", "usage_limit_reached", "usage limit has been reached"},
		none: []string{"approaching"}},
	{id: "codex.capacity", rank: exact, agent: agent.Codex, then: ModelCapacity,
		any: []string{"selected model is at capacity"}},
	{id: "codex.login", rank: exact, agent: agent.Codex, then: AuthRequired,
		any: []string{"access token could not be refreshed", "please log out and sign in again", "refresh token was revoked"}},
	{id: "codex.model", rank: exact, agent: agent.Codex, then: ModelUnavailable,
		any: []string{"model is not supported when using codex"}},
	{id: "codex.plan", rank: exact, agent: agent.Codex, then: SubscriptionRequired,
		any: []string{"usage_not_included", "usagenotincluded", "to use codex with your chatgpt plan"}},
	{id: "codex.thread", rank: exact, agent: agent.Codex, then: SessionLost,
		any: []string{"no rollout found", "thread not found"}},
	{id: "codex.processing", rank: neutral, agent: agent.Codex, then: ProviderUnavailable,
		any: []string{"an error occurred while processing your request"}},
	{id: "codex.stream", rank: broad, agent: agent.Codex, then: NetworkUnavailable,
		any:  []string{"stream disconnected before completion", "reconnecting..."},
		none: []string{"rate limit~", "an error occurred while processing your request"}},
}

// geminiRules read the Gemini CLI.
var geminiRules = []rule{
	{id: "gemini.quota.day", rank: exact, agent: agent.Gemini, then: QuotaLimited, window: true,
		any: []string{"exhausted your daily quota", "reached your daily*quota limit", "terminalquotaerror"}},
	{id: "gemini.quota.model", rank: exact, agent: agent.Gemini, then: QuotaLimited,
		any: []string{"exhausted your capacity on this model"}},
	{id: "gemini.capacity", rank: exact, agent: agent.Gemini, then: ModelCapacity,
		any: []string{"no capacity available for model"}},
	{id: "gemini.session", rank: exact, agent: agent.Gemini, then: SessionLost,
		any: []string{"no previous sessions found"}},
	{id: "gemini.cut", rank: exact, agent: agent.Gemini, then: NetworkUnavailable,
		any: []string{"exception: typeerror: terminated"}},
	{id: "gemini.garbled", rank: exact, agent: agent.Gemini, then: ProviderUnavailable,
		any: []string{"incomplete json segment"}},
}

// otherAgentRules read Copilot, Qwen, Kimi, Cursor, Amp and Goose.
var otherAgentRules = []rule{
	{id: "copilot.limit", rank: exact, agent: agent.Copilot, then: QuotaLimited,
		any: []string{"hit a rate limit that restricts", "you have no quota", "quota_exceeded", "exceeded your premium request~"}},
	{id: "copilot.policy", rank: exact, agent: agent.Copilot, then: SubscriptionRequired,
		any: []string{"requires an enterprise or organization policy", "not authorized to use this copilot feature", "access denied by copilot policy"}},
	{id: "copilot.token", rank: exact, agent: agent.Copilot, then: AuthRequired,
		any: []string{"does not have copilot requests permission", "authentication failed with provider", "transient_auth_error"}},
	{id: "copilot.transient", rank: vague, agent: agent.Copilot, then: ProviderUnavailable,
		any: []string{"transient api error", "failed to get response from the ai model", "transient_bad_request"}},
	{id: "qwen.quota", rank: exact, agent: agent.Qwen, then: QuotaLimited,
		any: []string{"allocated quota exceeded", "throttling.allocationquota"}},
	{id: "qwen.cut", rank: exact, agent: agent.Qwen, then: NetworkUnavailable,
		any: []string{`"details":"terminated"`}},
	{id: "kimi.quota", rank: exact, agent: agent.Kimi, then: QuotaLimited,
		any: []string{"organization tpd rate limit", "reached your usage limit", "usage limit for this billing cycle"}},
	{id: "kimi.throttle", rank: exact, agent: agent.Kimi, then: RateLimited,
		any: []string{"organization max rpm", "organization max concurrency", "receiving too many requests", "organization tpm rate limit"}},
	{id: "kimi.context", rank: exact, agent: agent.Kimi, then: ContextOverflow,
		any: []string{"exceeded model token limit"}},
	{id: "cursor.limit", rank: exact, agent: agent.Cursor, then: QuotaLimited, window: true,
		any: []string{"hit your usage limit", "hit your free requests limit", "spendlimithit: true"}},
	{id: "amp.credits", rank: exact, agent: agent.Amp, then: QuotaLimited, window: true,
		any: []string{"out of credits", "insufficient credit balance"}},
	{id: "goose.network", rank: exact, agent: agent.Goose, then: NetworkUnavailable,
		any: []string{"networkerror("}},
	{id: "goose.credits", rank: exact, agent: agent.Goose, then: QuotaLimited, window: true,
		any: []string{"creditsexhausted", "credits exhausted"}},
	{id: "goose.empty", rank: exact, agent: agent.Goose, then: InvalidRequest,
		any: []string{"contents.parts must not be empty"}},
}
