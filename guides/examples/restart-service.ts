import { defineTool, type Tool } from "holdpoint";
import { z } from "zod";

/** Asks once for each service that the person allows for longer. */
export function createRestartService(restart: (service: string) => Promise<void>): Tool {
  return defineTool({
    name: "restart_service",
    description: "Restarts a service, after a person has approved it.",
    parameters: z.object({ service: z.string(), reason: z.string() }),
    async handler({ service, reason }, { requestInteraction }) {
      const { action, approvalScope } = await requestInteraction({
        kind: "approval",
        prompt: `Restart ${service}?`,
        display: { reason },
        approvalScopes: ["once", "session", "always"],
        // The reason differs each time, and is not part of the approval.
        grantKey: JSON.stringify(["restart", service]),
        scopeText: {
          session: `Restarting ${service}, for whatever reason, in this session.`,
          always: `Restarting ${service}, for whatever reason.`,
        },
      });
      if (action !== "approve") return { restarted: false };
      await restart(service);
      return { restarted: true, approvedFor: approvalScope };
    },
  });
}
