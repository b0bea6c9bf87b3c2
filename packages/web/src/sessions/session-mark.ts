import type { Session } from "@holdpoint/protocol";

import type { Words } from "../words/use-words.ts";

const STATUS_WORDS: Readonly<Record<Session["status"], Words>> = {
  waiting: "waiting for an answer",
  parked: "parked, waiting for an answer",
  running: "working",
  idle: "idle",
};

/** The mark of a session, as a dot and in words. */
export interface SessionMark {
  /** The state shown by the dot. */
  readonly dot: Session["status"] | "failed";
  readonly words: Words;
}

/** `awaited`: the session has an answerable interaction, which may not be blocking the agent. */
export function toSessionMark(
  { status, hasFailed, endedAt }: Pick<Session, "endedAt" | "hasFailed" | "status">,
  awaited: boolean,
): SessionMark {
  if (awaited && (status === "idle" || status === "running")) {
    return {
      dot: status === "idle" ? "parked" : status,
      words:
        status === "idle" ? "idle, with a request to answer" : "working, with a request to answer",
    };
  }
  if (status === "idle" && endedAt !== undefined) return { dot: "idle", words: "ended" };
  return status === "idle" && hasFailed
    ? { dot: "failed", words: "failed" }
    : { dot: status, words: STATUS_WORDS[status] };
}
