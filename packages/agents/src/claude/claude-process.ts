import { setImmediate } from "node:timers/promises";

import type {
  McpServerConfig,
  Options,
  PermissionMode,
  Query,
  query,
  SDKMessage,
  SDKUserMessage,
  SpawnedProcess,
} from "@anthropic-ai/claude-agent-sdk";
import type { AgentOffers } from "@holdpoint/engine";

import type { HeldTurn, ToolEndpoint } from "../host/host-protocol.ts";
import { AgentLostError, HostedProcess } from "../host/hosted-process.ts";
import { InputQueue } from "./input-queue.ts";
import { readOffers } from "./offers.ts";

const MAX_ERROR_OUTPUT_CHARACTERS = 2000;

export interface ClaudeProcessOptions {
  readonly query: typeof query;
  /** Builds the SDK options. `keepErrorOutput` takes the process's standard error. */
  readonly toOptions: (keepErrorOutput: (text: string) => void) => Options;
  /** Called with one message at a time, in order. The next message waits for the promise. */
  readonly onMessage: (message: SDKMessage) => Promise<void>;
  /** Called once, last; with an error unless this side closed the process. */
  readonly onEnd: (error: Error | undefined) => void;
}

/** One agent process, with its input held open. Disposing it ends the process. */
export class ClaudeProcess implements AsyncDisposable {
  readonly #input = new InputQueue<SDKUserMessage>();
  readonly #query: Query;
  readonly #ended: Promise<void>;
  #spawned: SpawnedProcess | undefined;
  /** Why the host lost the process; the SDK reports only that the process has ended. */
  #lost: AgentLostError | undefined;
  #heldTurn: HeldTurn | undefined;
  #isClosed = false;
  #isEnded = false;
  /** The end of the process's standard error; used only in error messages. */
  #errorOutput = "";

  constructor(options: ClaudeProcessOptions) {
    this.#query = options.query({
      prompt: this.#input,
      options: this.#watchSpawn(
        options.toOptions((text) => {
          this.#errorOutput = (this.#errorOutput + text).slice(-MAX_ERROR_OUTPUT_CHARACTERS);
        }),
      ),
    });
    this.#ended = this.#pump(options);
  }

  send(message: SDKUserMessage): void {
    this.#input.push(message);
  }

  /**
   * A signal that aborts only when the runtime cancels its own request. `requested` also aborts when the process has
   * ended, which is not a cancellation.
   */
  cancellationOf(requested: AbortSignal): AbortSignal {
    const cancelled = new AbortController();
    const consider = async (): Promise<void> => {
      // The end of a process spawned by the SDK itself is visible only after its signals.
      if (!this.isGone) await setImmediate();
      if (!this.isGone) cancelled.abort();
    };
    if (requested.aborted) void consider();
    else requested.addEventListener("abort", () => void consider(), { once: true });
    return cancelled.signal;
  }

  /** Asks the agent to end its turn; resolves when the agent has acknowledged it. */
  async interrupt(): Promise<void> {
    await this.#query.interrupt();
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.#query.setPermissionMode(mode);
  }

  /** Connects the agent to the servers. Resolves with the first error, if there was one. */
  async setMcpServers(servers: Record<string, McpServerConfig>): Promise<string | undefined> {
    const { errors } = await this.#query.setMcpServers(servers);
    return Object.values(errors)[0];
  }

  offers(): Promise<AgentOffers> {
    return readOffers(this.#query);
  }

  async setModel(model: string | undefined): Promise<void> {
    await this.#query.setModel(model);
  }

  /** Sets the running turn, so that the host keeps the process for the next gateway if this one dies. */
  setTurn(turn: HeldTurn): void {
    this.#heldTurn = turn;
    this.#hosted?.setTurn(turn);
  }

  /** This message and all messages before it are stored; the host need not send them again. */
  settle(messageId: string): void {
    this.#hosted?.settle(messageId);
  }

  /** Whether this message of a person was handed to the agent; for a process left by another gateway. */
  async hasGot(messageId: string): Promise<boolean> {
    const state = await this.#hosted?.attached;
    return state?.givenMessageIds.includes(messageId) === true;
  }

  /** The tools' endpoint for the process: at its host if it has one, since the host outlives the gateway. */
  async serveTools({ url, token }: ToolEndpoint): Promise<ToolEndpoint> {
    return (await this.#hosted?.serveTools({ url, token })) ?? { url, token };
  }

  /** Leaves the process to its host. No further messages come from it. */
  async detach(): Promise<void> {
    this.#isClosed = true;
    await this.#hosted?.detach();
  }

  /** Kills the process with `SIGKILL`, so that it cannot react. */
  kill(): void {
    this.#spawned?.kill("SIGKILL");
  }

  /** Ends the process without waiting for it. */
  close(): void {
    this.#isClosed = true;
    this.#input.close();
    this.#query.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#ended;
  }

  get #hosted(): HostedProcess | undefined {
    return this.#spawned instanceof HostedProcess ? this.#spawned : undefined;
  }

  /** Whether the process has ended or is being ended. */
  get isGone(): boolean {
    const { exitCode = null, signalCode = null, killed = false } = this.#spawned ?? {};
    return this.#isClosed || this.#isEnded || killed || exitCode !== null || signalCode !== null;
  }

  #watchSpawn(options: Options): Options {
    const { spawnClaudeCodeProcess: spawn } = options;
    if (spawn === undefined) return options;
    return {
      ...options,
      spawnClaudeCodeProcess: (spawning) => {
        this.#spawned = spawn(spawning);
        this.#hosted?.once("error", (error) => {
          if (error instanceof AgentLostError) this.#lost = error;
        });
        if (this.#heldTurn !== undefined) this.#hosted?.setTurn(this.#heldTurn);
        return this.#spawned;
      },
    };
  }

  async #pump({ onMessage, onEnd }: ClaudeProcessOptions): Promise<void> {
    try {
      for await (const message of this.#query) await onMessage(message);
      this.#isEnded = true;
      onEnd(this.#isClosed ? undefined : this.#toError("Claude ended on its own"));
    } catch (error: unknown) {
      this.#isEnded = true;
      this.#input.close();
      this.#query.close();
      const cause = error instanceof Error ? error : new Error(String(error));
      onEnd(this.#isClosed ? undefined : this.#toError(cause.message, cause));
    }
  }

  #toError(message: string, cause?: Error): Error {
    if (this.#lost !== undefined) return this.#lost;
    const output = this.#errorOutput.trim();
    const details = output === "" || message.includes(output) ? message : `${message}: ${output}`;
    return new Error(details, { cause });
  }
}
