import type { Interaction } from "@holdpoint/protocol";

/** A command that waits for its approval since that instant, in the session `ses_1`. */
export function askedInteraction(interactionId: string, startedAt: string): Interaction {
  return {
    interactionId,
    sessionId: "ses_1",
    turnId: "trn_1",
    toolCallId: "call_1",
    toolName: "Bash",
    kind: "approval",
    status: "pending",
    attempt: 1,
    presentation: "tool",
    startedAt,
    onTimeout: "wait",
    hold: "held",
    approval: {
      input: { command: "npm run build" },
      cwd: "/work",
      display: {},
      digest: "digest",
      scopes: ["once"],
      scopeText: {},
      editable: false,
    },
  };
}
