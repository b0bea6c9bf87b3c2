import { createHttpTransport } from "holdpoint/client";

/** Denies every pending approval at night. Returns the outcome of each response. */
export async function denyUntilMorning(baseUrl: string, token: string): Promise<string[]> {
  await using gateway = createHttpTransport({ baseUrl, token, clientId: "nightly-job" });
  const { items } = await gateway.listInteractions({ status: ["pending"] });
  const approvals = items.filter(({ kind }) => kind === "approval");
  const results = approvals.map(({ interactionId, toolName }) => {
    const reason = `${toolName} must wait for the morning.`;
    return gateway.respond(interactionId, { action: "deny", reason });
  });
  // "accepted", or "refused" with the winner
  return (await Promise.all(results)).map(({ status }) => status);
}
