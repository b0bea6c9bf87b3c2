import type { AgentAdapter, GatewayLimits, TurnContext } from "@holdpoint/engine";

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

/** So that the bench meets the machine's limits, not the gateway's. */
export const benchLimits: Partial<GatewayLimits> = {
  pendingPerSession: 1_000_000,
  pendingInAll: 1_000_000,
  asksPerSecondPerSession: 1_000_000,
};
