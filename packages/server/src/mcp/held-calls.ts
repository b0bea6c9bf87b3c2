import type { ToolCallRequest } from "@holdpoint/engine";
import { CREDENTIAL_LIMITS } from "@holdpoint/protocol";

import { HeldCall } from "./held-call.ts";
import type { McpOptions } from "./mcp-options.ts";

/** Of a token, so many calls run at a time, and of so many that are over the result is kept here; the log has all of them. */
const MOST = CREDENTIAL_LIMITS.runningCalls;

/** The calls that go on without a request, by id. */
export class HeldCalls {
  readonly #options: Pick<McpOptions, "clock" | "tools">;
  /** In the order in which they came. */
  readonly #held = new Map<string, HeldCall>();
  #isStopping = false;

  constructor(options: Pick<McpOptions, "clock" | "tools">) {
    this.#options = options;
  }

  /** The gateway stops, and ends every call itself, so that it can come again. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Whether the token has as many calls running as it may: its next one waits as those of other clients do. */
  isFull(tokenId: string): boolean {
    return this.#of(tokenId).filter(({ outcome }) => !outcome).length >= MOST;
  }

  get(toolCallId: string): HeldCall | undefined {
    return this.#held.get(toolCallId);
  }

  /** Starts a call, or the same one once more after a restart. */
  start(tokenId: string, request: Omit<ToolCallRequest, "comesAgain">): HeldCall {
    const held = new HeldCall(this.#options, {
      tokenId,
      request: { ...request, comesAgain: true },
    });
    this.#held.set(held.toolCallId, held);
    void held.over.then(() => this.#trim(tokenId));
    return held;
  }

  /** It is over, and nobody asks for it here any more. */
  remove(held: HeldCall): void {
    if (this.#held.get(held.toolCallId) === held) this.#held.delete(held.toolCallId);
    held.forget();
  }

  /** Gives a call up: what it asks is taken back. */
  drop(held: HeldCall): void {
    this.remove(held);
    held.cancel();
  }

  /** Gives up the calls of one token. */
  revoke(tokenId: string): void {
    for (const held of this.#of(tokenId)) this.drop(held);
  }

  /** Forgets all of them, because the gateway stops. */
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
