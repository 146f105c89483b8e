package failure

// Warnings that a limit is near are no failure.
var near = []string{"approaching", "% of your", "close to your"}

// limitRules tell used-up quotas from short throttles.
var limitRules = []rule{
	{id: "limit.window", rank: neutral, then: QuotaLimited, window: true, none: near,
		any: []string{"hour usage limit reached", "weekly usage limit reached", "monthly usage limit reached"}},
	{id: "limit.usage", rank: neutral, then: QuotaLimited, none: near,
		any: []string{
			"usage limit~", "weekly limit", "weekly rate limit", "monthly limit", "daily limit", "session limit~", "5-hour limit", "spending limit",
			"spend limit reached", "usage_limit_reached",
		}},
	{id: "limit.quota", rank: neutral, then: QuotaLimited,
		any: []string{
			"exceeded your current quota", "quota exceeded", "exceeded your quota", "insufficient quota", "quota is not enough",
			"exhausted*quota", "quota*exhausted", "quota will reset",
		},
		none: []string{"perminute", "per_minute", "per minute", "check quota", "resource_exhausted*check quota", "approaching"}},
	{id: "limit.day", rank: neutral, then: QuotaLimited,
		any: []string{"free-models-per-day", "requests per day", "tokens per day", "tpd rate limit", "(tpd)", "(rpd)"}},
	{id: "limit.money", rank: neutral, then: QuotaLimited,
		any: []string{
			"insufficient balance", "insufficient credits", "insufficient funds", "credit balance is too low", "credit balance too low",
			"out of credits", "requires more credits", "billing hard limit", "billing_error", "credits exhausted", "payment required",
		}},
	{id: "limit.minute", rank: neutral, then: RateLimited,
		any: []string{"tokens per min~", "requests per minute", "(tpm)", "(rpm)", "~perminute~", "per_minute~", "free-models-per-min"}},
	{id: "limit.capacity", rank: neutral, then: ModelCapacity,
		any: []string{"model is at capacity", "model*is currently at capacity", "no capacity available"}},
	{id: "limit.overloaded", rank: neutral, then: ProviderOverloaded,
		any: []string{"overloaded", "experiencing high demand", "server is busy", "servers are busy"}},
	{id: "limit.rate", rank: broad, then: RateLimited, none: near,
		any: []string{
			"rate limit exceeded", "rate limit is exceeded", "rate limit reached", "rate limit error~", "rate limit hit", "reached*rate limit", "exceed~*rate limit~",
			"hit*rate limit", "rate limited", "rate-limited", "rate_limit~", "ratelimit~", "too many requests", "throttled", "throttling",
			"resource exhausted", "resource has been exhausted", "resource_exhausted", "resourceexhausted",
		}},
}

// accessRules tell logins from missing keys, plans and models.
var accessRules = []rule{
	{id: "access.key.missing", rank: neutral, then: MissingCredentials,
		any: []string{
			"api key is missing", "missing api key", "no api key", "api key not found", "api key is not set", "api key not set",
			"api key not configured", "no authentication information found", "no credentials found", "missing credentials",
			"missing bearer or basic authentication", "must specify the gemini_api_key", "environment variable not set", "environment variable is not set", "_api_key environment variable",
		}},
	{id: "access.plan", rank: neutral, then: SubscriptionRequired,
		any: []string{
			"no payment method", "subscription required", "requires a subscription", "requires an active subscription",
			"no active subscription", "subscription has expired", "subscription expired", "not included in your plan",
			"requires a paid plan", "not available on your plan", "organization has been disabled",
		}},
	{id: "access.provider", rank: neutral, then: ProviderNotConfigured,
		any: []string{"no provider configured", "provider not configured", "provider is not configured", "unknown provider", "no provider available"}},
	{id: "access.model", rank: neutral, then: ModelUnavailable,
		any: []string{
			"model_not_found", "model not found", "model*does not exist", "model*is not supported", "unsupported model", "unknown model",
			"invalid model", "no models available", "no model available", "not a valid model", "access to this model",
			"authorized to access this model", "model is not available", "not have access to model", "models/~*is not found",
		}},
	{id: "access.login", rank: broad, then: AuthRequired,
		any: []string{
			"authentication_error", "authenticationerror", "invalid api key", "invalid_api_key", "incorrect api key", "api key not valid",
			"api_key_invalid", "invalid x-api-key", "authentication failed", "authentication required", "not logged in", "please log in",
			"login required", "token has expired", "token expired", "token_expired", "session expired", "invalid authentication",
			"invalid credentials", "failed to authenticate", "authorization failed", "failed to login", "failed to log in", "failed to sign in", "check your api key", "insufficient permissions", "unauthenticated", "not authenticated",
		}},
	{id: "access.unauthorized", rank: vague, then: AuthRequired, any: []string{"unauthorized", "forbidden", "permission_error", "permission_denied"}},
}

// requestRules tell a conversation that has grown too long from a wrong request.
var requestRules = []rule{
	{id: "request.context", rank: neutral, then: ContextOverflow,
		any: []string{
			"maximum context length", "context window error", "exceeds the context", "exceed context limit", "prompt is too long",
			"prompt too long", "input is too long", "too many tokens", "exceeds the maximum number of tokens", "token limit exceeded",
			"request_too_large", "reduce the length of the", "exceeds the available context", "exceeds the maximum allowed",
			"context window exceeded", "exceeds model max context", "input token count*exceeds", "context length exceeded", "ran out of room in the model's context window",
		}},
	{id: "request.invalid", rank: vague, then: InvalidRequest,
		any: []string{
			"invalid_request_error", "invalid request", "bad request", "invalid_argument", "badrequesterror", "parameter is illegal",
			"contains invalid parameters", "invalid parameter", "unprocessable entity", "failed to parse request",
		}},
}

// serverRules tell the network from the provider.
var serverRules = []rule{
	{id: "net.unreachable", rank: broad, then: NetworkUnavailable,
		any: []string{
			"econnrefused", "econnreset", "enotfound", "eai_again", "etimedout", "ehostunreach", "enetunreach", "socket hang up", "fetch failed",
			"connection refused", "connectionrefused", "connection reset", "connection error", "could not connect to", "unable to connect",
			"cannot connect to", "connection was closed",
			"failed to connect to", "error sending request", "getaddrinfo", "dns error", "no route to host", "network is unreachable",
			"unexpected eof", "goaway", "stream closed before", "network error", "premature close", "error decoding response body",
			"tls handshake", "failed, reason:~", "establish a socket", "self-signed certificate", "self signed certificate", "connection_error", "networkerror", "connection closed",
		},
		none: []string{"rate limit~", "timed out"}},
	{id: "server.timeout", rank: broad, then: ProviderTimeout,
		any:  []string{"idle timeout", "request timeout", "setup timeout", "request timed out", "deadline exceeded", "deadline_exceeded", "gateway timeout", "gateway time-out", "timeouterror", "timed out"},
		none: []string{"rate limit~"}},
	{id: "server.body", rank: neutral, then: ProviderUnavailable, any: []string{"is not valid json", "json parsing failed"}},
	{id: "server.down", rank: vague, then: ProviderUnavailable,
		any: []string{
			"internal server error", "internal_server_error", "bad gateway", "service unavailable", "temporarily unavailable",
			"the server had an error", "an error occurred while processing your request",
		},
		none: []string{"invalid_request_error"}},
	{id: "server.error", rank: faint, then: ProviderUnavailable, any: []string{"server_error", `"type":"api_error"`, "upstream request failed"}},
}

// localRules are about the agent itself, the task and the repository.
var localRules = []rule{
	{id: "local.session", rank: neutral, then: SessionLost,
		any: []string{"session not found", "no conversation found", "conversation not found", "unknown session", "session does not exist", "no such session"}},
	{id: "local.crash", rank: neutral, then: AgentCrashed,
		any: []string{"exited unexpectedly", "segmentation fault", "core dumped", "heap out of memory", "panicked at"}},
	{id: "local.exit", rank: broad, then: AgentCrashed, when: up,
		any: []string{"process exited with exit code", "process exited with code"}},
	{id: "local.transport", rank: neutral, then: AgentTransportLost,
		any: []string{"peer disconnected", "transport closed", "agent disconnected"}},
	{id: "local.start", rank: vague, then: AgentStartFailed, when: comingUp,
		any: []string{
			"command not found", "process exited with exit code", "process exited with code", "cannot find module", "eaddrinuse", "unknown option", "unknown argument~", "no such file or directory",
			"syntaxerror", "unsupported engine",
		}},
	{id: "local.denied", rank: neutral, then: PermissionDeniedByUser,
		any: []string{"rejected by user", "rejected by the user", "denied by the user", "user denied permission", "user rejected"}},
	{id: "local.task", rank: neutral, then: TaskError,
		any: []string{"error_max_turns", "reached maximum number of turns", "maximum number of steps reached"}},
	{id: "local.repo", rank: neutral, then: RepoError,
		any: []string{"not a git repository", "dubious ownership in repository"}},
}
