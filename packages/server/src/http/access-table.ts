import type { Credential } from "../auth/authenticator.ts";

/** Who may use a route: anyone without a token, or the kinds of principal listed. */
export type Access = "anyone" | readonly ("agent" | "person")[];

const PERSON = ["person"] as const;
const AGENT = ["agent"] as const;

/**
 * The one table of who may do what; a route that is missing here cannot be served. An agent's token calls tools, which
 * may ask a person, and gets nothing else: agents never answer, list or read.
 * What a person may see of other persons is the gateway's decision.
 */
export const ACCESS_TABLE: Readonly<Record<string, Access>> = {
  "GET /healthz": "anyone",
  "GET /openapi.json": "anyone",
  "POST /api/auth/exchange": "anyone",
  "POST /api/auth/agent-tokens": PERSON,
  "GET /api/auth/tokens": PERSON,
  "DELETE /api/auth/tokens/{tokenId}": PERSON,
  "GET /api/agents": PERSON,
  "GET /api/sessions": PERSON,
  "POST /api/sessions": PERSON,
  "GET /api/sessions/{sessionId}": PERSON,
  "PATCH /api/sessions/{sessionId}": PERSON,
  "DELETE /api/sessions/{sessionId}": PERSON,
  "POST /api/sessions/{sessionId}/messages": PERSON,
  "GET /api/sessions/{sessionId}/queue": PERSON,
  "DELETE /api/sessions/{sessionId}/queue/{messageId}": PERSON,
  "POST /api/sessions/{sessionId}/stop": PERSON,
  "GET /api/sessions/{sessionId}/events": PERSON,
  "POST /api/sessions/{sessionId}/submit-answers": PERSON,
  "POST /api/sessions/{sessionId}/approve": PERSON,
  "POST /api/sessions/{sessionId}/deny": PERSON,
  "GET /api/events": PERSON,
  "GET /api/interactions": PERSON,
  "GET /api/interactions/{interactionId}": PERSON,
  "POST /api/interactions/{interactionId}/response": PERSON,
  "GET /api/grants": PERSON,
  "DELETE /api/grants/{grantId}": PERSON,
  "PUT /api/clients/{clientId}/interaction-mode": PERSON,
  "GET /api/tools": PERSON,
  "POST /mcp": AGENT,
  "GET /mcp": AGENT,
  "DELETE /mcp": AGENT,
};

/** Who may open a WebSocket and use all commands there. */
export const SOCKET_ACCESS: readonly Credential["principal"][] = PERSON;

/** The access of a route. Throws for one without an entry. */
export function accessOf(key: string): Access {
  const access = Object.hasOwn(ACCESS_TABLE, key) ? ACCESS_TABLE[key] : undefined;
  if (access === undefined) throw new Error(`The route "${key}" is missing in the access table.`);
  return access;
}
