import type { Interaction, OverviewFrame, Session } from "@holdpoint/protocol";

import type { Transport } from "../transports/transport.ts";

export interface LinkedOverview extends Pick<Transport, "followOverview"> {
  /** Shows frames to the current followers. */
  readonly show: (...frames: readonly OverviewFrame[]) => void;
}

/** An overview that begins with these rows; the test sends further frames. */
export function createLinkedOverview(
  rows: { readonly sessions?: readonly Session[]; readonly pending?: readonly Interaction[] } = {},
): LinkedOverview {
  const { sessions = [], pending = [] } = rows;
  const streams = new Set<{ readonly frames: OverviewFrame[]; wake: () => void }>();
  const waitingSessions = new Set(pending.map(({ sessionId }) => sessionId)).size;
  const snapshot: OverviewFrame = {
    type: "snapshot",
    epoch: "epoch-1",
    counts: {
      pending: pending.length,
      late: 0,
      sessions: sessions.length,
      waitingSessions,
      workingSessions: 0,
    },
    sessions: { items: [...sessions] },
    pending: { items: [...pending] },
    late: { items: [] },
  };
  return {
    show(...frames) {
      for (const stream of streams) {
        stream.frames.push(...frames);
        stream.wake();
      }
    },
    async *followOverview({ signal }) {
      const stream = { frames: [snapshot], wake: (): void => undefined };
      streams.add(stream);
      const wake = (): void => stream.wake();
      signal.addEventListener("abort", wake);
      try {
        while (!signal.aborted) {
          const frames = stream.frames.splice(0, Infinity);
          if (frames.length > 0) yield structuredClone(frames);
          else await new Promise<void>((resolve) => (stream.wake = resolve));
        }
        signal.throwIfAborted();
      } finally {
        streams.delete(stream);
        signal.removeEventListener("abort", wake);
      }
    },
  };
}
