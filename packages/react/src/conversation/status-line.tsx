import type { SessionView } from "@holdpoint/client";
import { isAnswerable } from "@holdpoint/protocol";
import type { ReactNode } from "react";

interface StatusLineProps {
  readonly view: SessionView;
  /** The gateway is out of reach. A short break does not count. */
  readonly offline: boolean;
  /** What sending does now. */
  readonly hint: string | undefined;
  readonly hintId: string;
}

/** What the session does now, in one quiet line. */
export function StatusLine({ view, offline, hint, hintId }: StatusLineProps): ReactNode {
  const status = toStatus(view, offline);
  return (
    <div className="hp-status" data-status={status?.tone}>
      {status !== undefined && (
        <>
          <span aria-hidden className="hp-status-dot" />
          <span className="hp-status-words">{status.words}</span>
        </>
      )}
      <span id={hintId} className="hp-status-hint">
        {hint}
      </span>
    </div>
  );
}

interface StatusWords {
  readonly tone: "waiting" | "working" | "parked" | "offline";
  readonly words: string;
}

export function toStatus(
  view: Pick<SessionView, "status" | "interactions">,
  offline: boolean,
): StatusWords | undefined {
  if (offline) return { tone: "offline", words: "Offline: what is shown may be old" };
  const count = [...view.interactions.values()].filter(isAnswerable).length;
  // Those that do not hold the agent.
  const open = count === 1 ? "1 thing waits for you" : `${count} things wait for you`;
  switch (view.status) {
    case "waiting":
      return {
        tone: "waiting",
        words: count > 1 ? `Waiting for you: ${count} things` : "Waiting for you",
      };
    case "parked":
      return { tone: "parked", words: "Parked: your answer starts the agent again" };
    case "running":
      return { tone: "working", words: count > 0 ? `Working, and ${open}` : "Working…" };
    case "idle":
      return count > 0 ? { tone: "parked", words: `${open}, no hurry` } : undefined;
  }
}
