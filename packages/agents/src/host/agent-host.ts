import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { AgentPipes } from "./agent-pipes.ts";
import { startAgent, type AgentProcess } from "./agent-process.ts";
import { openGatewayListener, type GatewayConnection } from "./gateway-listener.ts";
import {
  HOST_VERSION,
  type AgentCommand,
  type HeldTurn,
  type HostFrame,
  type HostSetup,
  type HostStart,
  type ToolEndpoint,
} from "./host-protocol.ts";
import { identify, removeQuietly, writeRecord } from "./host-record.ts";
import type { ToolRelay } from "./tool-relay.ts";

/** How long the gateway that started the host has to attach. */
const ATTACH_TIMEOUT_MS = 15_000;
/** How often the host checks, before a gateway attaches, whether the one that started it is alive. */
const PARENT_CHECK_MS = 200;
/** How often the host checks whether its record is still there. */
const RECORD_CHECK_MS = 2000;

/**
 * Owns an agent's process and its standard streams, so that they stay as they are when the gateway dies.
 *
 *   waiting ─gateway attaches─▶ attached ─agent exits────────────────────▶ gone
 *      │                         │    ▲ └─lost, between turns─▶ ending ─▶ gone
 *      │                       lost   │
 *      │                   in a turn  └─next gateway─┐
 *      └─nobody came─▶ gone      └────▶ held, frozen ┴─time is up─▶ ending ─▶ gone
 *
 * The first gateway that attaches starts the agent.
 */
export class AgentHost {
  readonly #setup: HostSetup;
  readonly #leave: () => void;
  #agent: AgentProcess | undefined;
  #pipes: AgentPipes | undefined;
  readonly #door: Disposable;
  #gateway: GatewayConnection | undefined;
  #turn: HeldTurn = {};
  #waitingIds: readonly string[] = [];
  #isEnding = false;
  /** The gateway's last frame: how the agent ended, or why it did not start. */
  #last: HostFrame | undefined;
  #wait = new AbortController();
  /** Opened for the first gateway that has tools. */
  #relay: Promise<ToolRelay> | undefined;

  /** Lets gateways attach. Calls `leave` when there is nothing left to do. */
  constructor(setup: HostStart, { leave, onReady }: { leave: () => void; onReady: () => void }) {
    this.#setup = setup;
    this.#leave = leave;
    this.#door = openGatewayListener({
      ...setup,
      onListening: onReady,
      onAttach: (gateway) => this.#attach(gateway),
      onFrame: (gateway, frame) => {
        if (gateway === this.#gateway) this.#obey(frame, gateway);
      },
      onLost: (gateway) => this.#lose(gateway),
    });
    this.#endAfter(ATTACH_TIMEOUT_MS);
    void this.#watchParent(setup.gatewayPid, this.#wait.signal);
  }

  /** Ends the agent gracefully. */
  end(): void {
    this.#isEnding = true;
    this.#agent?.terminate();
    if (this.#agent === undefined || this.#last !== undefined) this.#leave();
  }

  /** Must be called when this program exits for any reason: kills the agent before its input closes. */
  dispose(): void {
    this.#agent?.signal("SIGKILL");
    this.#door[Symbol.dispose]();
    if (this.#setup.hold) removeQuietly(this.#setup.hold.recordPath);
  }

  #start(command: AgentCommand): void {
    if (this.#agent !== undefined || this.#last !== undefined) return;
    const { hold } = this.#setup;
    try {
      const agent = startAgent(command);
      this.#agent = agent;
      this.#pipes = new AgentPipes(agent.process, hold && ((ids) => this.#noteWaiting(ids)));
      agent.exited.then(
        (exit) => this.#finish({ type: "exited", ...exit }),
        (error: unknown) => this.#finish(toFailed(error)),
      );
    } catch (error: unknown) {
      this.#last = toFailed(error);
    }
    if (!this.#record()) this.end();
    if (hold) void this.#watchRecord(hold.recordPath);
    if (this.#gateway) this.#greet(this.#gateway);
  }

  #attach(gateway: GatewayConnection): void {
    this.#gateway?.end({ type: "replaced" });
    this.#gateway = gateway;
    this.#wait.abort();
    // Without `hold`, no other gateway may attach.
    if (!this.#setup.hold) this.#door[Symbol.dispose]();
    this.#greet(gateway);
  }

  /** Sends the agent's state and the unsettled messages, as soon as there is an agent. */
  #greet(gateway: GatewayConnection): void {
    const { pid } = this.#agent?.process ?? {};
    if (this.#agent && this.#pipes && pid !== undefined) {
      gateway.send({ type: "attached", pid, mark: this.#agent.mark, ...this.#pipes.said });
      this.#pipes.connect(gateway);
    }
    if (this.#last !== undefined) gateway.end(this.#last);
    else this.#agent?.thaw();
  }

  #lose(gateway: GatewayConnection): void {
    if (gateway !== this.#gateway) return;
    this.#gateway = undefined;
    void this.#relay?.then((relay) => relay.serve(undefined));
    if (this.#last !== undefined) {
      this.#leave();
    } else if (this.#agent && this.#setup.hold && this.#turn.turnId && !this.#isEnding) {
      this.#agent.freeze();
      this.#pipes?.disconnect();
      this.#endAfter(this.#setup.hold.holdMs);
    } else {
      this.#pipes?.discard();
      this.end();
    }
  }

  #finish(last: HostFrame): void {
    this.#last = last;
    if (this.#gateway) this.#gateway.end(last);
    // Otherwise stays, as the next gateway may want the last messages.
    else if (this.#isEnding) this.#leave();
  }

  #endAfter(milliseconds: number): void {
    this.#wait = new AbortController();
    sleep(milliseconds, undefined, { signal: this.#wait.signal }).then(
      () => this.end(),
      () => undefined, // a gateway attached
    );
  }

  /** Handles one frame from the gateway. Disconnects the gateway if it sends a frame that is only for hosts. */
  #obey(frame: HostFrame, gateway: GatewayConnection): void {
    switch (frame.type) {
      case "start":
        this.#start(frame);
        return;
      case "input":
        this.#pipes?.giveInput(frame.bytes);
        return;
      case "input_end":
        this.#pipes?.endInput();
        return;
      case "taken":
        this.#pipes?.taken(frame.byteCount);
        return;
      case "settle":
        this.#pipes?.settle(frame.messageId);
        return;
      case "signal":
        this.#agent?.signal(frame.signal);
        return;
      case "terminate":
        this.end();
        return;
      case "turn":
        this.#turn = frame;
        if (!this.#record()) this.end();
        return;
      case "detach":
        this.#lose(gateway);
        return;
      case "serve_tools":
        this.#serveTools({ url: frame.url, token: frame.token }, gateway).catch(() =>
          gateway.destroy(),
        );
        return;
      case "attach":
      case "attached":
      case "replaced":
      case "refused":
      case "tools_served":
      case "failed":
      case "exited":
      case "output":
      case "error_output":
        gateway.destroy();
    }
  }

  async #serveTools(tools: ToolEndpoint, gateway: GatewayConnection): Promise<void> {
    this.#relay ??= import("./tool-relay.ts").then(({ openToolRelay }) => openToolRelay());
    const relay = await this.#relay.catch((error: unknown) => {
      this.#relay = undefined;
      throw error;
    });
    if (gateway !== this.#gateway) return;
    relay.serve(tools);
    gateway.send({ type: "tools_served", ...relay.endpoint });
  }

  /** An agent whose requests cannot be noted gets no response: the next gateway would give it once more. */
  #noteWaiting(requestIds: readonly string[]): boolean {
    const isAnswered = this.#waitingIds.some((id) => !requestIds.includes(id));
    const before = this.#waitingIds;
    this.#waitingIds = requestIds;
    if (this.#record()) return true;
    this.#waitingIds = before;
    if (isAnswered) this.end();
    return !isAnswered;
  }

  /** False: no gateway would find the agent as it is now. */
  #record(): boolean {
    const { hold, socketPath } = this.#setup;
    const { process: { pid } = {}, mark = "" } = this.#agent ?? {};
    if (hold === undefined || pid === undefined) return true;
    const { id, sessionId, recordPath } = hold;
    const { turnId, note } = this.#turn;
    const turn = { ...(turnId !== undefined && { turnId }), ...(note !== undefined && { note }) };
    const about = { id, sessionId, ...turn, waitingIds: this.#waitingIds, socketPath, mark };
    try {
      const [host, agent] = [identify(process.pid), identify(pid)];
      writeRecord(recordPath, { version: HOST_VERSION, ...about, host, agent });
      return true;
    } catch {
      return false;
    }
  }

  /** Ends the host if the gateway that started it dies before attaching, since no other gateway knows of it. */
  async #watchParent(parent: number, attached: AbortSignal): Promise<void> {
    do await sleep(PARENT_CHECK_MS, undefined, { ref: false });
    while (!attached.aborted && process.ppid === parent);
    if (!attached.aborted) this.end();
  }

  /**
   * Ends the host once a gateway has removed its record. While a gateway is attached, the record's folder may disappear
   * and come back.
   */
  async #watchRecord(path: string): Promise<void> {
    const isAway = (): boolean => this.#gateway !== undefined && !existsSync(dirname(path));
    while (existsSync(path) || isAway()) {
      await sleep(RECORD_CHECK_MS, undefined, { ref: false });
    }
    this.end();
  }
}

function toFailed(error: unknown): HostFrame {
  const { code, message } = error as NodeJS.ErrnoException;
  return { type: "failed", message, ...(code === undefined ? {} : { code }) };
}
