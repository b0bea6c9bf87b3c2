import type { SessionView } from "@holdpoint/client";
import { isAnswerable } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { useRole } from "../hooks/use-role.ts";
import { useWords, type Say } from "../words/use-words.ts";

interface StatusLineProps {
  readonly view: SessionView;
  /** The gateway is out of reach. Short interruptions do not count. */
  readonly offline: boolean;
  /** The effect of sending. */
  readonly hint: string | undefined;
  readonly hintId: string;
}

/** The session's status, in one unobtrusive line. */
export function StatusLine({ view, offline, hint, hintId }: StatusLineProps): ReactNode {
  const say = useWords();
  const mayAnswer = useRole() !== "viewer";
  const status = toStatus(view, { offline, mayAnswer }, say);
  return (
    <div className="hp-status" data-status={status?.tone}>
      {status !== undefined && (
        <span className="hp-status-words">
          <span aria-hidden className="hp-status-dot" />
          {status.words}
        </span>
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
  view: Pick<SessionView, "interactions" | "isRetrying" | "status">,
  { offline, mayAnswer }: { readonly offline: boolean; readonly mayAnswer: boolean },
  say: Say,
): StatusWords | undefined {
  if (offline) return { tone: "offline", words: say("Offline: this may be out of date") };
  const answerable = [...view.interactions.values()].filter(isAnswerable);
  const count = answerable.length;
  // An interaction with limited responders may be meant for other people.
  const isForAll = mayAnswer && answerable.every(({ responders }) => responders === undefined);
  switch (view.status) {
    case "waiting":
      return { tone: "waiting", words: toWaitingWords(count, isForAll, say) };
    case "parked":
      if (count === 0) {
        return { tone: "working", words: say("Restarting the agent…") };
      }
      return {
        tone: "parked",
        words: isForAll
          ? say("Parked: your answer restarts the agent")
          : say("Parked: an answer restarts the agent"),
      };
    case "running":
      if (view.isRetrying) {
        return { tone: "offline", words: say("The model does not answer; trying again…") };
      }
      return {
        tone: "working",
        words:
          count > 0
            ? say("Working, {count} request to answer|Working, {count} requests to answer", {
                count,
              })
            : say("Working…"),
      };
    case "idle":
      return count === 0
        ? undefined
        : {
            tone: "parked",
            words: say("{count} request to answer|{count} requests to answer", { count }),
          };
  }
}

function toWaitingWords(count: number, isForAll: boolean, say: Say): string {
  if (!isForAll) return say("Waiting for an answer");
  return count > 1
    ? say("Waiting for you: {count} request|Waiting for you: {count} requests", { count })
    : say("Waiting for you");
}
