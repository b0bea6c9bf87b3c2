import { defineTool, type Tool } from "holdpoint";
import { z } from "zod";

/** What a person is told outside of the page when nobody was there to answer. */
export interface Reminder {
  readonly sessionId: string;
  readonly question: string;
}

export interface AskLaterOptions {
  /** How long the agent waits before it goes on. */
  readonly waitMs: number;
  /** Reaches the person another way: a mail, a chat, a webhook. */
  readonly remind: (reminder: Reminder) => Promise<void>;
}

/** A tool that waits a little, then reminds the person and lets the agent go on without the answer. */
export function createAskLater({ waitMs, remind }: AskLaterOptions): Tool {
  return defineTool({
    name: "ask_later",
    description:
      "Asks the person something that can wait. When they do not answer at once you go on, and their answer comes as a message.",
    parameters: z.object({ question: z.string().trim().min(1).max(2000) }),
    readOnly: true,
    handler: ({ question }, { sessionId, log, requestInteraction }) =>
      requestInteraction({
        kind: "form",
        prompt: question,
        inputSchema: {
          type: "form",
          fields: [{ id: "answer", type: "textarea", label: "Your answer", required: true }],
        },
        completedView: { summaryTemplate: "{{answer}}" },
        timeoutMs: waitMs,
        onResponse: ({ action, values }) => ({
          complete:
            action === "submit"
              ? { status: "answered", answer: values.answer }
              : { status: "declined" },
        }),
        async onTimeout() {
          const message = "The person is away. Go on; the answer will come as a message.";
          try {
            await remind({ sessionId, question });
          } catch {
            // The question stays open on every page all the same.
            log.warn("The reminder could not be sent.");
          }
          return { pending: { message } };
        },
      }),
  });
}
