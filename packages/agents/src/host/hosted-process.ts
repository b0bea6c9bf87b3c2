import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { rmSync } from "node:fs";
import net from "node:net";
import { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

import { signalGroup } from "./agent-process.ts";
import {
  encodeFrame,
  FrameDecoder,
  MAX_PIECE_BYTES,
  type AgentCommand,
  type AgentExit,
  type HostFrame,
  type HostSetup,
} from "./host-protocol.ts";

export interface HostedProcessOptions {
  readonly host: ChildProcess;
  readonly setup: HostSetup;
  readonly start: AgentCommand;
  readonly signal: AbortSignal;
  readonly onErrorOutput: (text: string) => void;
}

const MAX_COMPLAINT_CHARACTERS = 2000;

/**
 * An agent behind an agent host, in the shape of a child process.
 *
 * - `stdin` takes bytes as fast as the agent reads them; what is written to an agent that is gone is dropped.
 *   Ending `stdin` ends the agent's input: an agent that waits for an answer takes that for the answer.
 * - `stdout` ends when the agent is gone and everything was read.
 * - `exit` comes once, also for an agent that never started; `error` comes before it if the agent did not start or
 *   its host was lost, and is dropped if nobody listens.
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
  /** Known once the agent has started. */
  pid: number | undefined;

  readonly #options: HostedProcessOptions;
  readonly #decoder = new FrameDecoder();
  readonly #errorText = new StringDecoder("utf8");
  readonly #resolveExited: (exit: AgentExit) => void;
  readonly #abort = (): void => this.#terminate();
  /** Frames for a host that is not connected yet. */
  #outbox: HostFrame[] = [];
  #socket: net.Socket | undefined;
  #isGone = false;
  #complaint = "";
  /** Input that the agent has not taken yet, and what to call when it has. */
  #pendingInput: { byteCount: number; done: () => void } | undefined;
  /** Output that was read from the socket but not from `stdout`. */
  #unreadByteCount = 0;

  constructor(options: HostedProcessOptions) {
    super();
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<AgentExit>();
    this.exited = promise;
    this.#resolveExited = resolve;
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => this.#writeInput(chunk, done),
      final: (done) => {
        this.#send({ type: "input_end" });
        done();
      },
    });
    this.stdout = new Readable({ read: () => this.#takeOutput() });
    this.stdout.once("close", () => this.#takeOutput());
    this.#watchHost();
    options.signal.addEventListener("abort", this.#abort, { once: true });
    if (options.signal.aborted) this.#terminate();
  }

  /** Signals the agent's process group. True if the agent was still there. */
  kill(signal: NodeJS.Signals = "SIGTERM"): boolean {
    if (this.#isGone) return false;
    this.killed = true;
    this.#send({ type: "signal", signal });
    return true;
  }

  /** Ends the agent, by force if it does not go within a second, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#terminate();
    await this.exited;
  }

  #terminate(): void {
    if (this.#isGone) return;
    this.killed = true;
    this.#send({ type: "terminate" });
  }

  #watchHost(): void {
    const { host, setup } = this.#options;
    host.stdout?.once("data", () => this.#connect());
    host.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-MAX_COMPLAINT_CHARACTERS);
    });
    host.once("error", (cause) => this.#lose(cause));
    host.once("close", () => {
      rmSync(setup.folder, { recursive: true, force: true });
      // A connected socket may still hold the last frames; its own "close" follows.
      if (this.#socket === undefined || this.#socket.destroyed) this.#lose();
    });
  }

  #connect(): void {
    const { setup, start } = this.#options;
    const socket = net.connect(setup.socketPath);
    this.#socket = socket;
    socket.on("error", () => undefined); // "close" follows, and is handled
    socket.once("close", () => this.#lose());
    socket.on("data", (chunk) => {
      try {
        for (const frame of this.#decoder.push(chunk)) this.#receive(frame);
      } catch (error: unknown) {
        socket.destroy(error as Error);
      }
    });
    socket.write(encodeFrame({ type: "attach", token: setup.token, start }));
    for (const frame of this.#outbox.splice(0)) socket.write(encodeFrame(frame));
  }

  #send(frame: HostFrame): void {
    if (this.#isGone) return;
    if (this.#socket === undefined) this.#outbox.push(frame);
    else if (this.#socket.writable) this.#socket.write(encodeFrame(frame));
  }

  #receive(frame: HostFrame): void {
    switch (frame.type) {
      case "started":
        this.pid = frame.pid;
        return;
      case "output":
        this.#readOutput(frame.bytes);
        return;
      case "error_output":
        this.#options.onErrorOutput(this.#errorText.write(Buffer.from(frame.bytes)));
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
      case "input":
      case "input_end":
      case "signal":
      case "terminate":
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

  /** The host died without its last frame. That closed the agent's input: kill the agent before it reacts. */
  #lose(cause?: Error): void {
    if (this.#isGone) return;
    if (this.pid !== undefined) signalGroup(this.pid, "SIGKILL");
    const complaint = this.#complaint.trim();
    const reason = complaint === "" ? "" : `: ${complaint}`;
    this.#fail(new Error(`The agent host ended unexpectedly${reason}`, { cause }));
  }

  #fail(error: Error): void {
    if (this.#isGone) return;
    if (this.listenerCount("error") > 0) this.emit("error", error);
    this.#finish(
      this.pid === undefined ? { code: 127, signal: null } : { code: null, signal: "SIGKILL" },
    );
  }

  #finish(exit: AgentExit): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#options.signal.removeEventListener("abort", this.#abort);
    this.exitCode = exit.code;
    this.signalCode = exit.signal;
    this.#outbox = [];
    this.#finishInput(Number.POSITIVE_INFINITY);
    this.#socket?.end();
    this.stdout.push(null);
    this.emit("exit", exit.code, exit.signal);
    this.#resolveExited(exit);
  }
}
