import { defineConfig, defineTool } from "holdpoint";

/** A tool whose work fails once a person has approved it. */
const deploy = defineTool({
  name: "deploy",
  description: "Deploys, after a person has approved it.",
  handler: (_args: Record<string, unknown>, { requestInteraction }) =>
    requestInteraction({
      kind: "approval",
      prompt: "Deploy to production?",
      input: { command: "make deploy" },
      async onResponse({ action }) {
        if (action === "approve") throw new Error("The server said 503.");
        return { complete: "denied" };
      },
    }),
});

export default defineConfig({ tools: [deploy] });
