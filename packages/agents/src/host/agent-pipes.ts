import type { ChildProcess } from "node:child_process";

import { Conversation } from "./conversation.ts";
import type { GatewayConnection } from "./gateway-listener.ts";
import { type AttachedState, MAX_PIECE_BYTES, OUTPUT_WINDOW_BYTES } from "./host-protocol.ts";
import { LineSplitter } from "./line-splitter.ts";

/** Limit on bytes of unsettled messages; beyond it, the agent's output is paused. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Notes the permission requests of the agent that wait for a response. False: they cannot be noted. */
export type NoteWaiting = (requestIds: readonly string[]) => boolean;

/**
 * The agent's standard streams, to and from the attached gateway. For a held agent they are read line by line, and
 * messages that a gateway has not settled are kept for the next one.
 */
export class AgentPipes {
  /** The messages so far, for a held agent. */
  readonly #conversation: Conversation | undefined;
  readonly #agent: ChildProcess;
  readonly #outputLines = new LineSplitter();
  /** Replaced for each gateway, so that half a line of a lost gateway never reaches the agent. */
  #inputLines = new LineSplitter();
  #gateway: GatewayConnection | undefined;
  /** Output that the gateway has not read yet. */
  #onTheWayBytes = 0;
  #isDiscarded = false;

  readonly #noteWaiting: NoteWaiting | undefined;
  #noted = "[]";

  /** With `noteWaiting` for an agent that is held. */
  constructor(agent: ChildProcess, noteWaiting: NoteWaiting | undefined) {
    this.#agent = agent;
    this.#noteWaiting = noteWaiting;
    this.#conversation = noteWaiting && new Conversation();
    const { stdin, stdout, stderr } = agent;
    stdin?.on("error", () => undefined); // the agent closed its input; its exit is handled elsewhere
    stdout?.on("data", (bytes: Buffer) => this.#takeOutput(bytes));
    stdout?.once("end", () => this.#send(this.#outputLines.rest()));
    stderr?.on("data", (bytes: Buffer) => this.#takeErrorOutput(bytes));
    // After the exit, at most a pipe's content is left to read.
    agent.once("exit", () => this.#letFlow());
  }

  /** The earlier gateways' exchange with the agent, as far as the next gateway needs it. */
  get said(): Omit<AttachedState, "pid" | "mark"> {
    const {
      replayedIds = [],
      givenMessageIds = [],
      answeredRequestIds = [],
    } = this.#conversation ?? {};
    return { replayedIds, givenMessageIds, answeredRequestIds };
  }

  /** Sends the gateway all unsettled messages first, then new output. */
  connect(gateway: GatewayConnection): void {
    this.#gateway = gateway;
    this.#inputLines = new LineSplitter();
    this.#onTheWayBytes = 0;
    for (const line of this.#conversation?.begin() ?? []) this.#send(line);
    this.#control();
  }

  disconnect(): void {
    this.#gateway = undefined;
    this.#agent.stderr?.resume();
  }

  /**
   * For when no gateway will come: reads and drops the output, so that the agent does not block while it shuts down.
   */
  discard(): void {
    this.disconnect();
    this.#isDiscarded = true;
    this.#letFlow();
  }

  /**
   * Passes input to the agent and reports to the gateway how much the agent has taken. A held agent gets whole lines
   * only, and no response to a request that is still noted as waiting.
   */
  giveInput(bytes: Uint8Array): void {
    const gateway = this.#gateway;
    const taken = (): void => void gateway?.send({ type: "taken", byteCount: bytes.byteLength });
    const toAgent = this.#conversation ? this.#takeInput(this.#conversation, bytes) : [bytes];
    if (!this.#isNoted()) return;
    if (toAgent.length === 0) taken();
    else this.#agent.stdin?.write(Buffer.concat(toAgent), taken);
  }

  endInput(): void {
    this.#agent.stdin?.end();
  }

  /** The gateway has read this many more bytes of output. */
  taken(byteCount: number): void {
    this.#onTheWayBytes -= byteCount;
    this.#control();
  }

  settle(messageId: string): void {
    this.#conversation?.settle(messageId);
    this.#control();
  }

  #takeInput(conversation: Conversation, bytes: Uint8Array): Buffer[] {
    return this.#inputLines.push(bytes).flatMap((line) => {
      const { toAgent, toGateway } = conversation.fromGateway(line);
      for (const answer of toGateway) this.#send(answer);
      return toAgent;
    });
  }

  #takeOutput(bytes: Buffer): void {
    if (this.#isDiscarded) return;
    const conversation = this.#conversation;
    if (conversation === undefined) {
      this.#send(bytes);
    } else {
      for (const line of this.#outputLines.push(bytes)) {
        const passing = conversation.fromAgent(line);
        // A request that is not noted only proves less.
        this.#isNoted();
        for (const passed of passing) this.#send(passed);
      }
    }
    this.#control();
  }

  #isNoted(): boolean {
    const waitingIds = this.#conversation?.waitingIds ?? [];
    const noted = JSON.stringify(waitingIds);
    if (noted === this.#noted || this.#noteWaiting === undefined) return true;
    const isNoted = this.#noteWaiting(waitingIds);
    if (isNoted) this.#noted = noted;
    return isNoted;
  }

  #takeErrorOutput(bytes: Buffer): void {
    const gateway = this.#gateway;
    if (gateway === undefined || gateway.send({ type: "error_output", bytes })) return;
    this.#agent.stderr?.pause();
    gateway.onceDrained(() => this.#agent.stderr?.resume());
  }

  #send(bytes: Buffer): void {
    for (let at = 0; at < bytes.byteLength; at += MAX_PIECE_BYTES) {
      const piece = bytes.subarray(at, at + MAX_PIECE_BYTES);
      this.#gateway?.send({ type: "output", bytes: piece });
      this.#onTheWayBytes += piece.byteLength;
    }
  }

  /** Pauses the agent's output while too much of it is unread or unsettled. */
  #control(): void {
    const { stdout, exitCode, signalCode } = this.#agent;
    if (this.#isDiscarded || exitCode !== null || signalCode !== null) return;
    const isTooMuch = (this.#conversation?.keptBytes ?? 0) > MAX_KEPT_BYTES;
    if (isTooMuch || this.#onTheWayBytes >= OUTPUT_WINDOW_BYTES) stdout?.pause();
    else if (this.#onTheWayBytes < OUTPUT_WINDOW_BYTES / 2) stdout?.resume();
  }

  #letFlow(): void {
    this.#agent.stdout?.resume();
    this.#agent.stderr?.resume();
  }
}
