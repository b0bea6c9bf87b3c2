import type { AgentToken } from "@holdpoint/protocol";

import type { Credential } from "./authenticator.ts";
import { createSecret, hashSecret } from "./secrets.ts";

/**
 * Tokens of the agents that this gateway has started itself. Kept hashed and in memory only: they end with the gateway,
 * as those agents do.
 */
export class AgentTokens {
  readonly #byHash = new Map<string, Credential>();

  /** A token with which the session's agent reaches the gateway's tools, and nothing else, until it is revoked. */
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
