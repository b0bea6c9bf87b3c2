import { defineTool, type Tool } from "../../tools/define-tool.ts";
import type { ApprovalRequest } from "../../tools/interaction-request.ts";
import { MAILER_MS, STRICT_MS, type ToolKind } from "./call-model.ts";

const options: Readonly<Record<ToolKind, Partial<ApprovalRequest>>> = {
  patient: { timeoutMs: Infinity, whenUnavailable: "wait" },
  strict: { timeoutMs: STRICT_MS, whenUnavailable: "refuse" },
  mailer: {
    timeoutMs: MAILER_MS,
    whenUnavailable: "wait",
    onTimeout: async () => ({ pending: { message: "Later." } }),
  },
  leaver: { timeoutMs: Infinity, whenUnavailable: "wait", onDisconnect: "deny" },
};

export const toolKinds: readonly ToolKind[] = ["patient", "strict", "mailer", "leaver"];

/** One of each kind; each asks for one approval. */
export const scheduleTools: readonly Tool[] = toolKinds.map((kind) =>
  defineTool({
    name: kind,
    description: "Asks for approval.",
    parameters: { type: "object" },
    handler: (_args, context) =>
      context.requestInteraction({
        kind: "approval",
        approvalScopes: ["once"],
        // The result shows the person's action and the displayed input: nothing else may run.
        onResponse: ({ action, input }) => ({ complete: { action, input } }),
        ...options[kind],
      }),
  }),
);
