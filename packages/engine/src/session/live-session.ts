import type {
  EphemeralFrame,
  SerializedFrame,
  SessionStatus,
  UnplacedEvent,
} from "@holdpoint/protocol";

import { KeyedNotifier } from "../lib/keyed-notifier.ts";
import { Notifier } from "../lib/notifier.ts";
import { Pace } from "../lib/pace.ts";
import { createSerial } from "../lib/serial.ts";
import type { AgentSession } from "../ports/agent-adapter.ts";
import { EventTail, type PlacedText } from "./event-tail.ts";
import { PartialTexts } from "./partial-texts.ts";
import type { RunningTurn } from "./running-turn.ts";
import { SharedPage } from "./shared-page.ts";

export type EndReason = "draining" | "session_deleted";

/**
 * The status of a session that runs nothing in this process: `waiting` while a tool call from before the restart may
 * come again, or while it is undecided whether the agent can be resumed.
 */
export type RestingStatus = Extract<SessionStatus, "idle" | "parked" | "waiting">;

/** The status last sent to followers. */
interface ShownStatus {
  readonly status: SessionStatus;
  readonly turnId: string | undefined;
  readonly isRetrying: boolean;
  readonly frame: SerializedFrame;
}

/** The in-memory state of a session in use. Everything that must last is in the store. */
export class LiveSession {
  readonly sessionId: string;
  /** Notifies followers of every visible change. */
  readonly changes = new Notifier();
  readonly tail = new EventTail();
  /** For followers that are further behind than the tail. */
  readonly page = new SharedPage();
  readonly partials = new PartialTexts();
  /** Serializes changes of the session's row: every change reads and writes it in here. */
  readonly rowWrites = createSerial();
  /** Serializes changes of mode and model, in the row and in the agent. */
  readonly settings = createSerial();
  /** Serializes a program's asks in the session. */
  readonly asking = createSerial();
  readonly asks: Pace;
  /** Notifies followers of single interactions. */
  readonly interactions = new KeyedNotifier();
  /** The newest event known to exist. */
  lastSeq = 0;
  #followers = 0;
  /** The number of calls that need this object to stay the one for its session. */
  users = 0;
  turn: RunningTurn | undefined;
  agent: AgentSession | undefined;
  /** Runs the queue. Set while a turn runs or the next one is about to. */
  driver: Promise<void> | undefined;
  /** The queue may have entries that the driver has not seen. */
  kicked = false;
  deleting = false;
  queueVersion = 0;
  #ended: EndReason | undefined;
  #status: ShownStatus;
  #queueFrame: { readonly version: number; readonly frame: SerializedFrame } | undefined;

  readonly #restingStatus: () => RestingStatus;

  /** `restingStatus` returns the status of the session while it runs nothing. */
  constructor(
    sessionId: string,
    options: { readonly asksPerSecond: number; readonly restingStatus: () => RestingStatus },
  ) {
    this.sessionId = sessionId;
    this.#restingStatus = options.restingStatus;
    this.asks = new Pace(options.asksPerSecond);
    this.#status = this.#makeStatus(this.status, undefined);
  }

  get status(): SessionStatus {
    if (!this.driver) return this.#restingStatus();
    return this.turn && this.turn.pending.size > 0 ? "waiting" : "running";
  }

  get followers(): number {
    return this.#followers;
  }

  /** The same object until the status changes. */
  get statusFrame(): SerializedFrame {
    return this.#status.frame;
  }

  /** Set once its streams have to end. */
  get ended(): EndReason | undefined {
    return this.#ended;
  }

  get isIdle(): boolean {
    return this.users === 0 && !this.driver && !this.agent && !this.deleting;
  }

  /** Computes the status from everything else. Returns true when it has changed. */
  refreshStatus(): boolean {
    const { status } = this;
    const { turnId, isRetrying = false } = this.turn ?? {};
    const shown = this.#status;
    const isSame = status === shown.status && turnId === shown.turnId;
    if (isSame && isRetrying === shown.isRetrying) return false;
    this.#status = this.#makeStatus(status, this.turn);
    this.changes.notify();
    return true;
  }

  /** Publishes events that were appended to the log. */
  publish(events: readonly UnplacedEvent[], texts: readonly PlacedText[], lastSeq: number): void {
    for (const event of events) {
      this.partials.land(event);
      if ("interactionId" in event && event.interactionId !== undefined) {
        this.interactions.notify(event.interactionId);
      }
    }
    if (this.#followers > 0) this.tail.push(texts);
    if (events.some(({ type }) => type === "turn_ended")) this.tail.shrink();
    this.lastSeq = Math.max(this.lastSeq, lastSeq);
    this.changes.notify();
  }

  addFollower(): void {
    this.#followers += 1;
  }

  /** Data for followers is dropped with the last one, since the store has it. */
  removeFollower(): void {
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.tail.clear();
    this.#queueFrame = undefined;
  }

  queueChanged(): void {
    this.queueVersion += 1;
    this.changes.notify();
  }

  /** The queue as one frame for all followers; `undefined` when the queue has changed since it was read. */
  get queueFrame(): SerializedFrame | undefined {
    return this.#queueFrame?.version === this.queueVersion ? this.#queueFrame.frame : undefined;
  }

  /** Reads the queue. The frame is the same object until the queue's content changes. */
  async readQueue(makeFrame: () => Promise<SerializedFrame>): Promise<SerializedFrame> {
    const version = this.queueVersion;
    const made = await makeFrame();
    const known = this.#queueFrame;
    if (known && known.version > version) return known.frame;
    // A message that came and went leaves the frame unchanged.
    const frame = known?.frame.json === made.json ? known.frame : made;
    this.#queueFrame = { version, frame };
    return frame;
  }

  end(reason: EndReason): void {
    this.#ended ??= reason;
    this.changes.notify();
    this.interactions.notifyAll();
  }

  #makeStatus(status: SessionStatus, turn: RunningTurn | undefined): ShownStatus {
    const { sessionId } = this;
    const { turnId, isRetrying = false } = turn ?? {};
    const frame: EphemeralFrame = {
      type: "session_status",
      sessionId,
      status,
      ...(turnId !== undefined && { turnId }),
      ...(isRetrying && { retrying: true }),
    };
    return { status, turnId, isRetrying, frame: { json: JSON.stringify(frame) } };
  }
}
