import type { Session } from "@holdpoint/protocol";

const STATUS_WORDS: Readonly<Record<Session["status"], string>> = {
  waiting: "waiting for you",
  parked: "parked, waiting for you",
  running: "working",
  idle: "idle",
};

/** How a session is marked, for the eye and in words. */
export interface SessionMark {
  /** What the dot shows. */
  readonly dot: Session["status"];
  readonly words: string;
}

/** `awaited`: something in the session can be answered, which need not hold the agent. */
export function toSessionMark(status: Session["status"], awaited: boolean): SessionMark {
  const goesOn = awaited && (status === "idle" || status === "running");
  return {
    dot: goesOn && status === "idle" ? "parked" : status,
    words: goesOn
      ? `${STATUS_WORDS[status]}, something waits for you in no hurry`
      : STATUS_WORDS[status],
  };
}
