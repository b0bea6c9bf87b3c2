import type { AgentToken } from "@holdpoint/protocol";

import type { Credential } from "./credential.ts";
import { createSecret, hashSecret } from "./secrets.ts";

/**
 * Tokens of the agents that this gateway starts. Only their hashes are kept, in memory, because these agents end with
 * the gateway.
 */
export class AgentTokens {
  readonly #byHash = new Map<string, Credential>();

  /** Issues a token that gives the session's agent access to the gateway's tools only, until it is revoked. */
  issue(sessionId: string): Pick<AgentToken, "token" | "tokenId"> {
    const token = createSecret(256);
    const tokenId = `tok_${createSecret(128)}`;
    this.#byHash.set(hashSecret(token), {
      tokenId,
      kind: "agent",
      principal: "agent",
      role: "viewer",
      person: "",
      label: "The session's agent",
      sessionId,
      isOwnAgent: true,
    });
    return { token, tokenId };
  }

  find(tokenHash: string): Credential | undefined {
    return this.#byHash.get(tokenHash);
  }

  revoke(tokenId: string): void {
    for (const [hash, credential] of this.#byHash) {
      if (credential.tokenId === tokenId) this.#byHash.delete(hash);
    }
  }
}
