import type { AgentAdapter, GatewayLimits, HoldRequest, TurnContext } from "@holdpoint/engine";
import type { RespondBody } from "@holdpoint/protocol";

/** An agent whose turn is the given function. */
export function askingAdapter(
  run: (sessionId: string, context: TurnContext) => Promise<void>,
): AgentAdapter {
  return {
    describe: async () => ({
      agent: "asking",
      label: "Asking",
      available: true,
      scripted: true,
      permissionModes: [{ mode: "default", label: "Ask" }],
      defaultPermissionMode: "default",
      suggestedPrompts: [],
    }),
    openSession: async ({ sessionId }) => ({
      runTurn: async (_message, context) => {
        await run(sessionId, context);
        return { reason: context.signal.aborted ? "stopped" : "done" };
      },
      setPermissionMode: async () => {},
      setModel: async () => {},
      [Symbol.asyncDispose]: async () => {},
    }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Raised, so that the bench meets the machine's limits and not the gateway's. */
export const BENCH_LIMITS: Partial<GatewayLimits> = {
  pendingPerSession: 1_000_000,
  pendingInAll: 1_000_000,
  asksPerSecondPerSession: 1_000_000,
};

export type RequestKind = "approval" | "form";

/** A request of typical size: about 1 KB as JSON. */
export function toRequest(kind: RequestKind, toolCallId: string): HoldRequest {
  switch (kind) {
    case "approval":
      return {
        kind,
        toolCallId,
        toolName: "Bash",
        input: { command: "npm test -- dates", note: "x".repeat(300) },
        display: { description: "Runs a part of the tests" },
        scopes: ["once"],
        scopeText: {},
        editable: true,
      };
    case "form":
      return {
        kind,
        toolCallId,
        toolName: "collect_address",
        prompt: "Where should we deliver to?",
        form: {
          schema: {
            type: "object",
            properties: {
              street: { type: "string", title: "Street", minLength: 1 },
              city: { type: "string", title: "City" },
              express: { type: "boolean", title: "By tomorrow" },
            },
            required: ["street"],
          },
        },
      };
  }
}

/** A valid response for each kind of request. */
export function toResponse(kind: RequestKind, digest?: string): RespondBody {
  return kind === "approval"
    ? { action: "approve", ...(digest !== undefined && { digest }) }
    : { action: "submit", values: { street: "1 Main Street", city: "Bern", express: true } };
}
