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
 * What a session is in which this process runs nothing: `waiting` while a tool call of before the restart may come again, or
 * it is not known yet whether the agent can go on.
 */
export type RestingStatus = Extract<SessionStatus, "idle" | "parked" | "waiting">;

/** The status as followers got it last. */
interface ShownStatus {
  readonly status: SessionStatus;
  readonly turnId: string | undefined;
  readonly isRetrying: boolean;
  readonly frame: SerializedFrame;
}

/** What one session has in memory while it is in use. The store has everything that must last. */
export class LiveSession {
  readonly sessionId: string;
  /** Notifies followers of everything that they may want to see. */
  readonly changes = new Notifier();
  readonly tail = new EventTail();
  /** For followers that are further behind than the tail. */
  readonly page = new SharedPage();
  readonly partials = new PartialTexts();
  /** Owns the session's row: every change of it is read and written in here. */
  readonly rowWrites = createSerial();
  /** Owns changes of mode and model, in the row and in the agent. */
  readonly settings = createSerial();
  /** Owns what a program asks in it. */
  readonly asking = createSerial();
  readonly asks: Pace;
  /** Notifies who follows one interaction. */
  readonly interactions = new KeyedNotifier();
  /** The newest event known to exist. */
  lastSeq = 0;
  #followers = 0;
  /** Calls that need this object to stay the one of its session. */
  users = 0;
  turn: RunningTurn | undefined;
  agent: AgentSession | undefined;
  /** Runs the queue; there while a turn runs or the next one is about to. */
  driver: Promise<void> | undefined;
  /** The queue may have got something that the driver has not seen. */
  kicked = false;
  deleting = false;
  queueVersion = 0;
  #ended: EndReason | undefined;
  #status: ShownStatus;
  #queueFrame: { readonly version: number; readonly frame: SerializedFrame } | undefined;

  readonly #restingStatus: () => RestingStatus;

  /** `restingStatus` says what the session is while it runs nothing. */
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

  /** Set once its streams are to end. */
  get ended(): EndReason | undefined {
    return this.#ended;
  }

  get isIdle(): boolean {
    return this.users === 0 && !this.driver && !this.agent && !this.deleting;
  }

  /** Takes the status that follows from everything else; true when it is a new one. */
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

  /** Takes what the log got. */
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

  /** What is kept for followers goes with the last one: the store has it. */
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

  /** The queue as one frame for all followers; absent when the queue has changed since it was read. */
  get queueFrame(): SerializedFrame | undefined {
    return this.#queueFrame?.version === this.queueVersion ? this.#queueFrame.frame : undefined;
  }

  /** The frame is the same object until the content of the queue changes. */
  async readQueue(makeFrame: () => Promise<SerializedFrame>): Promise<SerializedFrame> {
    const version = this.queueVersion;
    const made = await makeFrame();
    const known = this.#queueFrame;
    if (known && known.version > version) return known.frame;
    // A message that came and went leaves the frame as it was.
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
