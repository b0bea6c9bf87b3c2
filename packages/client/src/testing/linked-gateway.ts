import {
  ANSWERABLE_STATUSES,
  OPERATION_NAMES,
  type Interaction,
  type OperationName,
  type ProtocolError,
  type Session,
  type SessionEvent,
  type SessionFrame,
} from "@holdpoint/protocol";

import { ClientError } from "../transports/client-error.ts";
import type { Transport } from "../transports/transport.ts";
import { foldLog } from "../view/fold-log.ts";
import { createSession } from "./create-session.ts";

export interface LinkedGateway {
  readonly transport: Transport;
  epoch: string;
  readonly log: SessionEvent[];
  /** The result of `listInteractions`; if absent, the open interactions of the log. */
  rows: Interaction[] | undefined;
  /** While set, every call and stream is refused with it. */
  failure: ProtocolError | ClientError | undefined;
  /** The number of open streams, and of streams ever opened. */
  readonly streamCount: number;
  readonly openedCount: number;
  append(...events: SessionEvent[]): void;
  /** Shows frames to the current followers. */
  show(...frames: SessionFrame[]): void;
  /** Breaks every stream; frames in transit are lost. */
  disconnect(): void;
  /** Replaces the history, as a gateway with a restored store would. */
  restore(epoch: string, events: readonly SessionEvent[]): void;
}

interface Stream {
  /** Batches in transit, oldest first. */
  readonly sent: SessionFrame[][];
  wake: () => void;
  isBroken: boolean;
}

const UNUSED_CALLS = Object.fromEntries(OPERATION_NAMES.map((name) => [name, unused])) as Record<
  OperationName,
  () => never
>;

/** A gateway with one session behind a transport whose connections the test can break. */
export function createLinkedGateway(): LinkedGateway {
  const streams = new Set<Stream>();
  let openedCount = 0;
  const send = (frames: SessionFrame[]): void => {
    for (const stream of streams) {
      stream.sent.push(structuredClone(frames));
      stream.wake();
    }
  };
  const gateway: LinkedGateway = {
    epoch: "epoch-1",
    log: [],
    rows: undefined,
    failure: undefined,
    get streamCount() {
      return streams.size;
    },
    get openedCount() {
      return openedCount;
    },
    append(...events) {
      gateway.log.push(...events);
      send(events);
    },
    show: (...frames) => send(frames),
    disconnect() {
      for (const stream of streams) {
        stream.isBroken = true;
        stream.wake();
      }
    },
    restore(epoch, events) {
      gateway.disconnect();
      gateway.epoch = epoch;
      gateway.log.splice(0, Infinity, ...events);
    },
    transport: {
      ...UNUSED_CALLS,
      clientId: "client-1",
      getSession: async () => {
        refuseIfFailing(gateway);
        return createSession({ ...toStatus(gateway.log), lastSeq: gateway.log.length });
      },
      listInteractions: async () => {
        refuseIfFailing(gateway);
        return structuredClone({ items: gateway.rows ?? openInteractions(gateway.log) });
      },
      readEvents: async (_sessionId, { before = Infinity, limit = 200 } = {}) => {
        refuseIfFailing(gateway);
        const items = gateway.log.filter(({ seq }) => seq < before).slice(-limit);
        return structuredClone({ items, epoch: gateway.epoch });
      },
      async *followSession(_sessionId, { epoch, seq }, { signal }) {
        signal.throwIfAborted();
        refuseIfFailing(gateway);
        openedCount += 1;
        const stream: Stream = { sent: [], wake: () => undefined, isBroken: false };
        const isForeign = epoch !== undefined && epoch !== gateway.epoch;
        if (isForeign) stream.sent.push([{ type: "reset", epoch: gateway.epoch }]);
        const missed = gateway.log.filter((event) => isForeign || event.seq > seq);
        const status = {
          type: "session_status",
          sessionId: "session",
          ...toStatus(gateway.log),
        } as const;
        stream.sent.push([], structuredClone(missed), [status]);
        streams.add(stream);
        const wake = (): void => stream.wake();
        signal.addEventListener("abort", wake);
        try {
          for (;;) {
            signal.throwIfAborted();
            if (stream.isBroken) throw new ClientError("CONNECTION_CLOSED", "Broken by hand.");
            const batch = stream.sent.shift();
            if (batch) yield batch;
            else await new Promise<void>((resolve) => (stream.wake = resolve));
            if (batch?.at(-1)?.type === "closing") return;
          }
        } finally {
          streams.delete(stream);
          signal.removeEventListener("abort", wake);
        }
      },
      followOverview: () => unused(),
      [Symbol.asyncDispose]: async () => undefined,
    },
  };
  return gateway;
}

function toStatus(log: readonly SessionEvent[]): Pick<Session, "status"> & { turnId?: string } {
  const last = log.findLast(({ type }) => type === "turn_started" || type === "turn_ended");
  if (last?.type === "turn_ended" && last.reason === "parked") return { status: "parked" };
  if (last?.type !== "turn_started") return { status: "idle" };
  const { turnId } = last;
  const isWaiting = openInteractions(log).some(({ status }) => status === "pending");
  return { status: isWaiting ? "waiting" : "running", ...(turnId !== undefined && { turnId }) };
}

function openInteractions(log: readonly SessionEvent[]): Interaction[] {
  const isOpen = ({ status }: Interaction): boolean =>
    ANSWERABLE_STATUSES.some((each) => each === status);
  return [...foldLog(log, new Map()).interactions.values()].filter(isOpen);
}

function refuseIfFailing({ failure }: LinkedGateway): void {
  if (failure) throw failure;
}

function unused(): never {
  throw new Error("A session store does not need this.");
}
