import type { Reminder } from "./ask-later.ts";

const TIMEOUT_MS = 10_000;

/** Sends reminders to a webhook that takes `{"text": …}`, as those of most chats do. */
export function postReminderTo(webhook: string): (reminder: Reminder) => Promise<void> {
  return async ({ sessionId, question }) => {
    const answer = await fetch(webhook, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: `An agent asks: ${question}`, sessionId }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`The webhook refused the reminder: ${answer.status}.`);
  };
}
