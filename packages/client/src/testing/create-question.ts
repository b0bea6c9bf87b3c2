import type { Interaction } from "@holdpoint/protocol";

/** A pending question with one option, and these changes. */
export function createQuestion(changes: Partial<Interaction> = {}): Interaction {
  return {
    interactionId: "interaction-1",
    sessionId: "session-1",
    turnId: "turn-1",
    toolCallId: "call-1",
    toolName: "AskUserQuestion",
    kind: "question",
    status: "pending",
    attempt: 1,
    questions: [
      {
        id: "q1",
        header: "Colour",
        question: "Which colour?",
        multiSelect: false,
        options: [{ id: "o1", label: "Green" }],
      },
    ],
    presentation: "tool",
    startedAt: "2026-01-01T00:00:00.000Z",
    onTimeout: "wait",
    hold: "held",
    ...changes,
  };
}
