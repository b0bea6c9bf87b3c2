import type { ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import net from "node:net";
import { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

import { signalGroup } from "./agent-process.ts";
import {
  encodeFrame,
  FrameDecoder,
  HOST_VERSION,
  MAX_PIECE_BYTES,
  type AgentCommand,
  type AgentExit,
  type AttachedState,
  type HeldTurn,
  type HostFrame,
  type ToolEndpoint,
} from "./host-protocol.ts";
import { endTree } from "./watchdog.ts";

export interface HostedProcessOptions {
  /** The host if this gateway has just started it; absent for a host left by a previous gateway. */
  readonly host?: ChildProcess;
  readonly socketPath: string;
  readonly token: string;
}

/** Follows an agent from its start, or from when a gateway attaches. */
export interface AgentFollower {
  /** Ends the agent when it aborts. */
  readonly signal: AbortSignal;
  /** Receives the agent's standard error as it arrives. */
  readonly onErrorOutput?: (text: string) => void;
}

const LOST_REASONS = {
  replaced: "Another gateway has taken over the agent.",
  version: "The agent ran under a host of another version of Holdpoint.",
  silent: "The host of the agent did not answer, so both were ended.",
} as const;

/** Why this gateway has lost an agent whose host has not crashed. */
export type LostReason = keyof typeof LOST_REASONS;

export class AgentLostError extends Error {
  override readonly name = "AgentLostError";
  readonly reason: LostReason;

  constructor(reason: LostReason) {
    super(LOST_REASONS[reason]);
    this.reason = reason;
  }
}

const MAX_COMPLAINT_CHARACTERS = 2000;

/**
 * An agent behind an agent host, in the shape of a child process.
 *
 * - `stdin` takes bytes as fast as the agent reads them; input for an agent that is gone is dropped. Ending `stdin`
 *   ends the agent's input, which a waiting agent takes for an answer.
 * - `stdout` ends when the agent is gone and everything was read.
 * - `exit` is emitted once, also for an agent that never started; `error` comes before it if the agent did not start or
 *   its host was lost, and is dropped without a listener. Both wait for a follower, so that the end of an agent before
 *   its next gateway attached is not missed. After `detach` neither is emitted.
 */
export class HostedProcess
  extends EventEmitter<{
    exit: [code: number | null, signal: NodeJS.Signals | null];
    error: [error: Error];
  }>
  implements AsyncDisposable
{
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves, never rejects, when the agent is gone. */
  readonly exited: Promise<AgentExit>;
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  /** Set once this gateway is attached. */
  pid: number | undefined;
  /** Resolves once this gateway is attached; with `undefined` if the agent was lost before. */
  readonly attached: Promise<AttachedState | undefined>;
  /** Why the agent was lost, or did not start. */
  failure: Error | undefined;

  readonly #options: HostedProcessOptions;
  readonly #decoder = new FrameDecoder();
  readonly #errorText = new StringDecoder("utf8");
  readonly #resolveExited: (exit: AgentExit) => void;
  readonly #resolveAttached: (state: AttachedState | undefined) => void;
  readonly #abort = (): void => this.#terminate();
  #follower: AgentFollower | undefined;
  /** Frames for a host that is not connected yet. */
  #outbox: HostFrame[] = [];
  #socket: net.Socket | undefined;
  #isGone = false;
  #mark = "";
  #complaint = "";
  #toolsServed: PromiseWithResolvers<ToolEndpoint | undefined> | undefined;
  /** Input that the agent has not taken yet, and the callback for when it has. */
  #pendingInput: { byteCount: number; done: () => void } | undefined;
  /** Bytes received from the host that `stdout`'s reader has not taken. */
  #unreadByteCount = 0;

  constructor(options: HostedProcessOptions) {
    super();
    this.#options = options;
    const exited = Promise.withResolvers<AgentExit>();
    this.exited = exited.promise;
    this.#resolveExited = exited.resolve;
    const attached = Promise.withResolvers<AttachedState | undefined>();
    this.attached = attached.promise;
    this.#resolveAttached = attached.resolve;
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => this.#writeInput(chunk, done),
      final: (done) => {
        this.#send({ type: "input_end" });
        done();
      },
    });
    this.stdout = new Readable({ read: () => this.#takeOutput() });
    this.stdout.once("close", () => this.#takeOutput());
    if (options.host) this.#watchHost(options.host);
    else this.#connect();
  }

  /** Starts the agent in its host. Must be called once, and not for an agent that was left. */
  start(command: AgentCommand): void {
    this.#send({ type: "start", ...command });
  }

  /** Must be called once. */
  follow(follower: AgentFollower): void {
    this.#follower = follower;
    if (this.exitCode !== null || this.signalCode !== null) {
      // Later, because the follower has not added its listeners yet.
      queueMicrotask(() => this.#announceEnd());
      return;
    }
    follower.signal.addEventListener("abort", this.#abort, { once: true });
    if (follower.signal.aborted) this.#terminate();
  }

  /** Signals the agent's process group. Returns true if the agent was still there. */
  kill(signal: NodeJS.Signals = "SIGTERM"): boolean {
    if (this.#isGone) return false;
    this.killed = true;
    this.#send({ type: "signal", signal });
    return true;
  }

  /** Sets the agent's current turn. Between turns there is nothing to hold: losing the gateway ends the agent. */
  setTurn(turn: HeldTurn): void {
    this.#send({ type: "turn", ...turn });
  }

  /** This message of the agent and all messages before it are stored, and are not repeated to the next gateway. */
  settle(messageId: string): void {
    this.#send({ type: "settle", messageId });
  }

  /**
   * Registers the address at which this gateway serves its tools. Resolves with the agent's address for them, which
   * stays the same with every gateway, for as long as the agent lives. `undefined`: the agent was lost.
   */
  async serveTools(tools: ToolEndpoint): Promise<ToolEndpoint | undefined> {
    if (this.#isGone) return undefined;
    this.#toolsServed ??= Promise.withResolvers();
    this.#send({ type: "serve_tools", ...tools });
    return this.#toolsServed.promise;
  }

  /** Leaves the agent to its host, which freezes it for the next gateway. Nothing more comes from it. */
  async detach(): Promise<void> {
    const { host } = this.#options;
    const socket = this.#socket;
    this.#send({ type: "detach" });
    this.#release();
    for (const stream of [host?.stdout, host?.stderr]) stream?.destroy();
    host?.unref();
    if (socket === undefined || socket.destroyed) return;
    const closed = once(socket, "close");
    socket.end();
    await closed;
  }

  /** Ends the agent, by force after a second, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isGone) return;
    this.#terminate();
    await this.exited;
  }

  #terminate(): void {
    if (this.#isGone) return;
    this.killed = true;
    this.#send({ type: "terminate" });
  }

  #watchHost(host: ChildProcess): void {
    host.stdout?.once("data", () => this.#connect());
    host.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-MAX_COMPLAINT_CHARACTERS);
    });
    host.once("error", (cause) => this.#lose(cause));
    host.once("close", () => {
      // A connected socket may still hold the last frames; its own "close" follows.
      if (this.#socket === undefined || this.#socket.destroyed) this.#lose();
    });
  }

  #connect(): void {
    const { socketPath, token } = this.#options;
    const socket = net.connect(socketPath);
    this.#socket = socket;
    socket.on("error", () => undefined); // followed by "close", which is handled
    socket.once("close", () => this.#lose());
    socket.on("data", (chunk) => {
      try {
        for (const frame of this.#decoder.push(chunk)) this.#receive(frame);
      } catch (error: unknown) {
        socket.destroy(error as Error);
      }
    });
    socket.write(encodeFrame({ type: "attach", version: HOST_VERSION, token }));
    for (const frame of this.#outbox.splice(0)) socket.write(encodeFrame(frame));
  }

  #send(frame: HostFrame): void {
    if (this.#isGone) return;
    if (this.#socket === undefined) this.#outbox.push(frame);
    else if (this.#socket.writable) this.#socket.write(encodeFrame(frame));
  }

  #receive(frame: HostFrame): void {
    if (this.#isGone) return;
    switch (frame.type) {
      case "attached":
        this.pid = frame.pid;
        this.#mark = frame.mark;
        this.#resolveAttached(frame);
        return;
      case "replaced":
        this.#fail(new AgentLostError("replaced"));
        return;
      case "refused":
        this.#fail(new AgentLostError("version"));
        return;
      case "tools_served":
        this.#toolsServed?.resolve({ url: frame.url, token: frame.token });
        return;
      case "output":
        this.#readOutput(frame.bytes);
        return;
      case "error_output":
        this.#follower?.onErrorOutput?.(this.#errorText.write(Buffer.from(frame.bytes)));
        return;
      case "taken":
        this.#finishInput(frame.byteCount);
        return;
      case "exited":
        this.#finish({ code: frame.code, signal: frame.signal });
        return;
      case "failed":
        this.#fail(Object.assign(new Error(frame.message), { code: frame.code }));
        return;
      case "attach":
      case "start":
      case "input":
      case "input_end":
      case "signal":
      case "terminate":
      case "turn":
      case "settle":
      case "serve_tools":
      case "detach":
        throw new Error(`The agent host sent a "${frame.type}" frame.`);
    }
  }

  #writeInput(chunk: Buffer, done: () => void): void {
    if (this.#isGone) {
      done();
      return;
    }
    this.#pendingInput = { byteCount: chunk.byteLength, done };
    for (let at = 0; at < chunk.byteLength; at += MAX_PIECE_BYTES) {
      this.#send({ type: "input", bytes: chunk.subarray(at, at + MAX_PIECE_BYTES) });
    }
    if (chunk.byteLength === 0) this.#finishInput(0);
  }

  #finishInput(byteCount: number): void {
    const pending = this.#pendingInput;
    if (pending === undefined) return;
    pending.byteCount -= byteCount;
    if (pending.byteCount > 0) return;
    this.#pendingInput = undefined;
    pending.done();
  }

  #readOutput(bytes: Uint8Array): void {
    this.#unreadByteCount += bytes.byteLength;
    // A closed reader must not stop the agent.
    if (this.stdout.destroyed || this.stdout.push(bytes)) this.#takeOutput();
  }

  #takeOutput(): void {
    if (this.#unreadByteCount === 0) return;
    this.#send({ type: "taken", byteCount: this.#unreadByteCount });
    this.#unreadByteCount = 0;
  }

  /**
   * Handles the death of a host without a last frame. Its watchdog kills the agent; this method does too, in case the
   * watchdog has died as well.
   */
  #lose(cause?: Error): void {
    if (this.#isGone) return;
    if (this.pid !== undefined) {
      signalGroup(this.pid, "SIGKILL");
      void endTree(this.pid, this.#mark);
    }
    const complaint = this.#complaint.trim();
    const reason = complaint === "" ? "" : `: ${complaint}`;
    const { code } = (cause ?? {}) as NodeJS.ErrnoException;
    const what = code === undefined ? "ended unexpectedly" : `could not start (${code})`;
    this.#fail(new Error(`The agent host ${what}${reason}`, { cause }));
  }

  #fail(error: Error): void {
    if (this.#isGone) return;
    this.failure = error;
    this.#finish(
      this.pid === undefined ? { code: 127, signal: null } : { code: null, signal: "SIGKILL" },
    );
  }

  #finish(exit: AgentExit): void {
    if (this.#isGone) return;
    this.exitCode = exit.code;
    this.signalCode = exit.signal;
    this.#release();
    this.#socket?.end();
    this.stdout.push(null);
    if (this.#follower !== undefined) this.#announceEnd();
    this.#resolveExited(exit);
  }

  #announceEnd(): void {
    if (this.failure && this.listenerCount("error") > 0) this.emit("error", this.failure);
    this.emit("exit", this.exitCode, this.signalCode);
  }

  /** Releases the agent: this gateway has nothing more to do with it. */
  #release(): void {
    this.#isGone = true;
    this.#follower?.signal.removeEventListener("abort", this.#abort);
    this.#outbox = [];
    this.#finishInput(Number.POSITIVE_INFINITY);
    this.#resolveAttached(undefined);
    this.#toolsServed?.resolve(undefined);
  }
}
