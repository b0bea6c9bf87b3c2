import type { ToolCallRequest } from "@holdpoint/engine";
import { CREDENTIAL_LIMITS } from "@holdpoint/protocol";

import { HeldCall } from "./held-call.ts";
import type { McpOptions } from "./mcp-options.ts";

/** The most running calls per token, and the most results kept per token. The log contains all results. */
const MOST = CREDENTIAL_LIMITS.runningCalls;

/** Calls that continue without an HTTP request, by id. */
export class HeldCalls {
  readonly #options: Pick<McpOptions, "clock" | "tools">;
  /** Oldest first. */
  readonly #held = new Map<string, HeldCall>();
  #isStopping = false;

  constructor(options: Pick<McpOptions, "clock" | "tools">) {
    this.#options = options;
  }

  /** True when the gateway is stopping. It then ends every call itself, so that it can be resumed. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * True when the token has as many running calls as allowed. Its next call then keeps its client waiting, as for other
   * clients.
   */
  isFull(tokenId: string): boolean {
    return this.#of(tokenId).filter(({ outcome }) => !outcome).length >= MOST;
  }

  get(toolCallId: string): HeldCall | undefined {
    return this.#held.get(toolCallId);
  }

  /** Starts a call, or resumes one after a restart. */
  start(tokenId: string, request: Omit<ToolCallRequest, "comesAgain">): HeldCall {
    const held = new HeldCall(this.#options, {
      tokenId,
      request: { ...request, comesAgain: true },
    });
    this.#held.set(held.toolCallId, held);
    void held.over.then(() => this.#trim(tokenId));
    return held;
  }

  /** Removes a finished call that no client needs from here. */
  remove(held: HeldCall): void {
    if (this.#held.get(held.toolCallId) === held) this.#held.delete(held.toolCallId);
    held.forget();
  }

  /** Abandons a call and withdraws its request. */
  drop(held: HeldCall): void {
    this.remove(held);
    held.cancel();
  }

  /** Abandons the calls of one token. */
  revoke(tokenId: string): void {
    for (const held of this.#of(tokenId)) this.drop(held);
  }

  /** Forgets all calls, because the gateway is stopping. */
  clear(): void {
    this.#isStopping = true;
    for (const held of this.#held.values()) held.forget();
    this.#held.clear();
  }

  #of(tokenId: string): HeldCall[] {
    return [...this.#held.values()].filter((held) => held.tokenId === tokenId);
  }

  #trim(tokenId: string): void {
    const over = this.#of(tokenId).filter(({ outcome }) => outcome);
    for (const held of over.slice(0, -MOST)) this.remove(held);
  }
}
