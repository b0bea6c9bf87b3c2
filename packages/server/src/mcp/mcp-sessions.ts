import { ProtocolError } from "@holdpoint/protocol";

import type { Credential } from "../auth/credential.ts";
import { createSecret } from "../auth/secrets.ts";
import type { McpOptions } from "./mcp-options.ts";
import type { McpSession } from "./mcp-session.ts";
import { RunningCalls } from "./running-calls.ts";
import type { StatelessMcp } from "./stateless-mcp.ts";
import type { TaskCalls } from "./task-calls.ts";

/** A client uses one or two. Others were left behind by programs that died. */
const MAX_PER_TOKEN = 8;
/** Far more than are revoked while one request is read. */
const MAX_REVOKED = 1000;

interface OpenSession {
  readonly tokenId: string;
  readonly session: McpSession;
}

/** Owns all MCP sessions. Only the token that opened a session can use it. */
export class McpSessions {
  readonly running = new RunningCalls();
  readonly #options: McpOptions;
  /** The last revoked tokens: a request may have been authenticated before and read after the revocation. */
  readonly #revoked = new Set<string>();
  /** For clients without a session; created with the first of them. */
  #stateless: Promise<StatelessMcp> | undefined;
  /** For clients with a session; created with the first of them. */
  #taskCalls: TaskCalls | undefined;
  /** By id, least recently used first. */
  readonly #open = new Map<string, OpenSession>();

  constructor(options: McpOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Throws `UNAUTHENTICATED` for a token that was revoked while its request was read. */
  assertValid({ tokenId }: Pick<Credential, "tokenId">): void {
    if (this.#revoked.has(tokenId)) {
      throw new ProtocolError("UNAUTHENTICATED", "This token was revoked.");
    }
  }

  /** Returns the session with this id, if it belongs to the token. */
  find(id: string, { tokenId }: Credential): McpSession | undefined {
    const found = this.#open.get(id);
    if (found?.tokenId !== tokenId) return undefined;
    this.#open.delete(id);
    this.#open.set(id, found);
    return found.session;
  }

  /**
   * Opens a session. When the token has too many, an idle one is closed; rejects with `RATE_LIMITED` if none is idle.
   */
  async open({ tokenId, sessionId, isOwnAgent }: AgentCredential): Promise<McpSession> {
    // Loaded with the first client: most gateways start without one.
    const loaded = await import("./mcp-session.ts");
    const { TaskCalls: Loaded } = await import("./task-calls.ts");
    await this.#makeRoom(tokenId);
    const taskCalls = (this.#taskCalls ??= new Loaded(this.#options));
    const agent = { tokenId, sessionId, isOwnAgent };
    const id = createSecret(256);
    const session = new loaded.McpSession({ ...this.#options, ...agent, id, taskCalls });
    this.#open.set(id, { tokenId, session });
    await session.open(() => this.#open.delete(id));
    return session;
  }

  /** Returns the handler for clients without a session. */
  stateless(): Promise<StatelessMcp> {
    this.#stateless ??= this.#loadStateless();
    return this.#stateless;
  }

  /** A failed load is tried again for the next client. */
  async #loadStateless(): Promise<StatelessMcp> {
    try {
      const { StatelessMcp: Loaded } = await import("./stateless-mcp.ts");
      return new Loaded(this.#options);
    } catch (error: unknown) {
      this.#stateless = undefined;
      throw error;
    }
  }

  /** Notifies every client that the list of tools has changed. */
  async announceTools(): Promise<void> {
    const sessions = [...this.#open.values()];
    (await this.#stateless)?.announceTools();
    await Promise.allSettled(sessions.map(({ session }) => session.announceTools()));
  }

  /** Ends the sessions and calls of a token. */
  async revoke(tokenId: string): Promise<void> {
    this.#revoked.add(tokenId);
    const [oldest] = this.#revoked;
    if (oldest !== undefined && this.#revoked.size > MAX_REVOKED) this.#revoked.delete(oldest);
    (await this.#stateless)?.revoke(tokenId);
    this.#taskCalls?.revoke(tokenId);
    const theirs = [...this.#open.values()].filter((open) => open.tokenId === tokenId);
    await Promise.all(theirs.map(({ session }) => session.close()));
  }

  async closeAll(): Promise<void> {
    await (await this.#stateless)?.close();
    this.#taskCalls?.clear();
    const sessions = [...this.#open.values()];
    await Promise.all(sessions.map(({ session }) => session.stop()));
  }

  async #makeRoom(tokenId: string): Promise<void> {
    const theirs = [...this.#open.values()].filter((open) => open.tokenId === tokenId);
    if (theirs.length < MAX_PER_TOKEN) return;
    const idle = theirs.find(({ session }) => !session.isBusy);
    if (!idle) {
      throw new ProtocolError("RATE_LIMITED", `At most ${MAX_PER_TOKEN} clients for each token.`);
    }
    await idle.session.close();
  }
}

/** The credential of one session's agent. */
export interface AgentCredential {
  readonly tokenId: string;
  readonly sessionId: string;
  readonly isOwnAgent: boolean;
}
