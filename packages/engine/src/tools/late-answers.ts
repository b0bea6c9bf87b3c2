import type { SessionEvent } from "@holdpoint/protocol";

import type { Store } from "../ports/store.ts";

/** So many of each, and so far back in the log. */
const MAX_LISTED = 20;
const EVENTS_READ = 500;
const MAX_PROMPT = 300;

/** What the agent of a session has asked without waiting for the answer, and what came of it. */
export interface LateAnswers {
  /** Still open: what was asked, the oldest first. */
  readonly waiting: readonly { readonly interactionId: string; readonly asked: string }[];
  /** The answers that were sent to it as messages, word for word, the newest first. */
  readonly answers: readonly {
    readonly interactionId?: string | undefined;
    readonly text: string;
  }[];
}

/** Reads them from the log: as often as is wanted, and after a restart as well. Rejects when the store fails. */
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
