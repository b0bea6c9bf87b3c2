import type { SessionEvent } from "@holdpoint/protocol";

import type { Store } from "../ports/store.ts";

/** The most entries of each kind, and the number of events that are searched for them. */
const MAX_LISTED = 20;
const EVENTS_READ = 500;
const MAX_PROMPT = 300;

/** The requests that a session's agent did not wait for, and their answers. */
export interface LateAnswers {
  /** Open requests, oldest first. */
  readonly waiting: readonly { readonly interactionId: string; readonly asked: string }[];
  /** The answers that were sent to the agent as messages: their exact text, newest first. */
  readonly answers: readonly {
    readonly interactionId?: string | undefined;
    readonly text: string;
  }[];
}

/** Reads late answers from the log, any number of times and even after a restart. Rejects when the store fails. */
export async function readLateAnswers(
  store: Pick<Store, "listInteractions" | "readEvents">,
  sessionId: string,
): Promise<LateAnswers> {
  const open = await store.listInteractions({
    statuses: ["pending"],
    sessionId,
    limit: MAX_LISTED,
  });
  const events = await store.readEvents(sessionId, { limit: EVENTS_READ });
  const answers = events
    .map(({ json }) => JSON.parse(json) as SessionEvent)
    .flatMap((event) =>
      event.type === "user_message" && event.origin === "late_response"
        ? [{ interactionId: event.interactionId, text: event.content }]
        : [],
    );
  return {
    waiting: open.items.map(({ interaction: { interactionId, prompt, toolName } }) => ({
      interactionId,
      asked: (prompt ?? toolName).slice(0, MAX_PROMPT),
    })),
    answers: answers.slice(-MAX_LISTED).toReversed(),
  };
}
