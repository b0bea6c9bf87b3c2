import { setTimeout as sleep } from "node:timers/promises";

import type { ToolEndpoint } from "./host-protocol.ts";
import type { RequestId } from "./open-request-ids.ts";
import { readAll, type RelayedResponse, send } from "./relay-target.ts";

/** Delay before the same gateway is asked again. */
const RETRY_MS = 500;

/** The gateway that currently serves the tools, and a signal for its change. */
export class RelayTarget {
  #now: ToolEndpoint | undefined;
  #changed = new AbortController();

  /** Aborts when another gateway serves the tools, or none. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  set(target: ToolEndpoint | undefined): void {
    this.#now = target;
    const changed = this.#changed;
    this.#changed = new AbortController();
    changed.abort();
  }

  /** Waits until a gateway serves the tools. Rejects when the signal aborts. */
  async find(signal: AbortSignal): Promise<ToolEndpoint> {
    while (this.#now === undefined) await waitFor(this.changed, signal);
    signal.throwIfAborted();
    return this.#now;
  }
}

export interface AskOptions {
  readonly body: string;
  /** Aborts when the agent no longer waits. */
  readonly signal: AbortSignal;
  /** Called with each message of the answer, in order. */
  readonly onMessage: (message: string) => void;
  /** Whether the answer is complete with this message. */
  readonly isLast: (message: string) => boolean;
}

/**
 * The agent's MCP session, which lives as long as the agent. Each gateway has its own session for it, opened with the
 * agent's `initialize`.
 */
export class RelaySession {
  /** The ids of the agent's requests that have no response yet. */
  readonly openIds = new Set<RequestId>();
  readonly #target: RelayTarget;
  readonly #initialize: string;
  /** The protocol version that the agent last sent. */
  #version: string | undefined;
  /** The first gateway's answer to `initialize`. */
  #greeting: string | undefined;
  #opened: { readonly target: ToolEndpoint; readonly id: Promise<string | undefined> } | undefined;

  constructor(target: RelayTarget, initialize: string) {
    this.#target = target;
    this.#initialize = initialize;
  }

  /** Opens the session with the first gateway that can; resolves with its answer to `initialize`. */
  async begin(signal: AbortSignal): Promise<string> {
    for (;;) {
      const target = await this.#target.find(signal);
      await this.#open(target, signal).catch(() => this.#pause(signal));
      if (this.#greeting !== undefined) return this.#greeting;
    }
  }

  speaks(version: string | undefined): void {
    this.#version = version ?? this.#version;
  }

  /**
   * Sends the request to the gateway, and repeats it with each next one until the answer is complete. Rejects only when
   * the signal aborts. Resolves with the status if the gateway refuses the request.
   */
  async ask(options: AskOptions): Promise<{ readonly refused?: number }> {
    for (;;) {
      const target = await this.#target.find(options.signal);
      const result = await this.#askOnce(target, options).catch(() => undefined); // the gateway is gone
      if (result !== undefined) return result;
      await this.#pause(options.signal);
    }
  }

  /** Passes on the gateway's own messages, for as long as the agent listens. */
  async follow(signal: AbortSignal, onMessage: (message: string) => void): Promise<never> {
    for (;;) {
      const target = await this.#target.find(signal);
      await this.#followOnce(target, { signal, onMessage }).catch(() => undefined); // the gateway is gone
      await this.#pause(signal);
    }
  }

  /** Sends a notification to the gateway, if a session with it is open. */
  async tell(method: "POST" | "DELETE", body?: string): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined) return;
    const signal = this.#target.changed;
    const headers = this.#headers(await opened.id);
    const response = await send(opened.target, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
    });
    await readAll(response.messages);
  }

  /** Waits a moment, or until the gateway changes. Rejects when the signal aborts. */
  async #pause(signal: AbortSignal): Promise<void> {
    const over = AbortSignal.any([this.#target.changed, signal]);
    await sleep(RETRY_MS, undefined, { signal: over }).catch(() => undefined); // the gateway changed
    signal.throwIfAborted();
  }

  async #askOnce(
    target: ToolEndpoint,
    options: AskOptions,
  ): Promise<{ refused?: number } | undefined> {
    const { body, onMessage, isLast } = options;
    const signal = AbortSignal.any([options.signal, this.#target.changed]);
    const headers = this.#headers(await this.#open(target, signal));
    const response = await send(target, { method: "POST", headers, body, signal });
    if (isTransient(response)) {
      this.#opened = undefined;
      return undefined;
    }
    if (response.status >= 400) return { refused: response.status };
    for await (const message of response.messages) {
      onMessage(message);
      if (isLast(message)) return {};
    }
    return undefined;
  }

  async #followOnce(
    target: ToolEndpoint,
    { signal, onMessage }: { signal: AbortSignal; onMessage: (message: string) => void },
  ): Promise<void> {
    const both = AbortSignal.any([signal, this.#target.changed]);
    const headers = {
      ...this.#headers(await this.#open(target, both)),
      accept: "text/event-stream",
    };
    const response = await send(target, { method: "GET", headers, signal: both });
    if (response.status >= 400) return;
    for await (const message of response.messages) onMessage(message);
  }

  /** The gateway's session for the agent's session, opened once. */
  async #open(target: ToolEndpoint, signal: AbortSignal): Promise<string | undefined> {
    if (this.#opened?.target !== target) {
      const id = this.#introduce(target, signal);
      const opened = { target, id };
      this.#opened = opened;
      id.catch(() => {
        if (this.#opened === opened) this.#opened = undefined;
      });
    }
    return this.#opened.id;
  }

  async #introduce(target: ToolEndpoint, signal: AbortSignal): Promise<string | undefined> {
    const about = { method: "POST", signal } as const;
    const first = { ...about, headers: this.#headers(undefined), body: this.#initialize };
    const { status, sessionId, messages } = await send(target, first);
    const answers = await readAll(messages);
    if (status >= 400) throw new Error(`The gateway did not open a session: ${status}.`);
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const second = await send(target, { ...about, headers: this.#headers(sessionId), body });
    await readAll(second.messages);
    this.#greeting ??= answers.at(-1);
    return sessionId;
  }

  #headers(sessionId: string | undefined): Record<string, string> {
    return {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      // Announces that a call is repeated after its connection is lost, so that the gateway keeps it unless it is
      // cancelled.
      "holdpoint-calls-again": "1",
      ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
      ...(sessionId !== undefined &&
        this.#version !== undefined && { "mcp-protocol-version": this.#version }),
    };
  }
}

/** Whether the gateway is stopping, or no longer knows the session or the token: the next one will answer. */
function isTransient({ status }: RelayedResponse): boolean {
  return status === 401 || status === 404 || status >= 500;
}

async function waitFor(change: AbortSignal, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    AbortSignal.any([change, signal]).addEventListener("abort", () => resolve(), { once: true });
  });
  signal.throwIfAborted();
}
