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
  /** The SDK's `query`. */
  readonly query: typeof query;
  /** How to start it, and where to bring what it writes to its standard error. */
  readonly toOptions: (keepErrorOutput: (text: string) => void) => Options;
  /** Called with one message at a time, in order. The next one waits for it. */
  readonly onMessage: (message: SDKMessage) => Promise<void>;
  /** Called once, last; with an error unless the process was closed by us. */
  readonly onEnd: (error: Error | undefined) => void;
}

/** One process of the agent, with its input held open. Disposing it ends the process. */
export class ClaudeProcess implements AsyncDisposable {
  readonly #input = new InputQueue<SDKUserMessage>();
  readonly #query: Query;
  readonly #ended: Promise<void>;
  #spawned: SpawnedProcess | undefined;
  /** The SDK says of it only that the process has ended. */
  #lost: AgentLostError | undefined;
  #heldTurn: HeldTurn | undefined;
  #isClosed = false;
  #isEnded = false;
  /** The last of what the process wrote to its standard error; for the texts of errors only. */
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
   * Aborts when the runtime cancels a request of its own. The SDK aborts the request's signal also when the process has
   * ended, and then nobody has cancelled anything.
   */
  cancellationOf(requested: AbortSignal): AbortSignal {
    const cancelled = new AbortController();
    const consider = async (): Promise<void> => {
      // A process that the SDK has spawned by itself is known to have ended only after its signals.
      if (!this.isGone) await setImmediate();
      if (!this.isGone) cancelled.abort();
    };
    if (requested.aborted) void consider();
    else requested.addEventListener("abort", () => void consider(), { once: true });
    return cancelled.signal;
  }

  /** Asks the agent to end its turn; resolves when it has understood. */
  async interrupt(): Promise<void> {
    await this.#query.interrupt();
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.#query.setPermissionMode(mode);
  }

  /** Resolves once the agent has connected to the servers; with what went wrong, if anything did. */
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

  /** Says which turn it is in, so that its host keeps it for the next gateway if this one dies. */
  setTurn(turn: HeldTurn): void {
    this.#heldTurn = turn;
    this.#hosted?.setTurn(turn);
  }

  /** This message and all before it are stored, and need not come again. */
  settle(messageId: string): void {
    this.#hosted?.settle(messageId);
  }

  /** Whether this message of a person was handed to the agent; for a process that another gateway has left. */
  async hasGot(messageId: string): Promise<boolean> {
    const state = await this.#hosted?.attached;
    return state?.givenMessageIds.includes(messageId) === true;
  }

  /** Where the process finds the gateway's tools: at its host, which outlives the gateway, if it has one that does. */
  async serveTools({ url, token }: ToolEndpoint): Promise<ToolEndpoint> {
    return (await this.#hosted?.serveTools({ url, token })) ?? { url, token };
  }

  /** Leaves the process to its host. Nothing more comes from it. */
  async detach(): Promise<void> {
    this.#isClosed = true;
    await this.#hosted?.detach();
  }

  /** Ends the process by force: it has no chance to react to anything. */
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

  /** It has ended, or is being ended. */
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
      onEnd(this.#isClosed ? undefined : this.#toError("Claude ended by itself"));
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
