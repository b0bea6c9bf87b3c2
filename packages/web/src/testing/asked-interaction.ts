import type { Interaction } from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";

/** A command in the session `ses_1` that has waited for its approval since that instant. */
export function askedInteraction(interactionId: string, startedAt: string): Interaction {
  return sampleInteraction({
    interactionId,
    startedAt,
    approval: {
      input: { command: "npm run build" },
      cwd: "/work",
      display: {},
      digest: "digest",
      scopes: ["once"],
      scopeText: {},
      editable: false,
    },
  });
}
