import type { AgentAdapter } from "holdpoint/engine";

/** An agent that asks before it deploys, and reports the outcome. */
export function createDeployAgent(deploy: (target: string) => Promise<void>): AgentAdapter {
  return {
    describe: async () => ({
      agent: "deploy",
      label: "Deploy bot",
      available: true,
      scripted: false,
      permissionModes: [{ mode: "default", label: "Ask before acting" }],
      defaultPermissionMode: "default",
      suggestedPrompts: ["Deploy to staging"],
    }),
    openSession: async () => ({
      async runTurn(message, turn) {
        const input = { target: message.content };
        const toolCallId = message.messageId;
        await turn.emit({ type: "tool_call", toolCallId, toolName: "deploy", input });
        const held = await turn.hold(
          {
            kind: "approval",
            toolCallId,
            toolName: "deploy",
            input,
            display: { description: "Replaces what is running there." },
            scopes: ["once"],
            scopeText: {},
            editable: true,
          },
          { signal: turn.signal },
        );
        const content = await settle(held);
        await turn.emit({ type: "tool_result", toolCallId, content, isError: false });
        return { reason: turn.signal.aborted ? "stopped" : "done" };

        async function settle(result: typeof held): Promise<string> {
          switch (result.outcome) {
            case "answered": {
              await result.delivered();
              const { action, reason = "no reason given" } = result.response;
              if (action !== "approve") return `Denied: ${reason}`;
              // Run the stored input: the one that was shown, or the person's edit of it.
              const target = String(result.input?.["target"]);
              await deploy(target);
              return `Deployed to ${target}.`;
            }
            case "expired":
              return "Nobody has answered yet. Nothing was deployed.";
            case "withdrawn":
              return `Not deployed: ${result.reason}`;
          }
        }
      },
      setPermissionMode: async () => {},
      setModel: async () => {},
      [Symbol.asyncDispose]: async () => {},
    }),
    [Symbol.asyncDispose]: async () => {},
  };
}
