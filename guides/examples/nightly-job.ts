import { createHttpTransport } from "holdpoint/client";

/** Denies every pending approval at night. Returns the outcome of each response. */
export async function denyUntilMorning(baseUrl: string, token: string): Promise<string[]> {
  await using gateway = createHttpTransport({ baseUrl, token, clientId: "nightly-job" });
  const outcomes: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await gateway.listInteractions({ status: ["pending"], ...(cursor && { cursor }) });
    for (const { kind, interactionId, toolName } of page.items) {
      if (kind !== "approval") continue;
      const reason = `${toolName} must wait for the morning.`;
      const { status } = await gateway.respond(interactionId, { action: "deny", reason });
      outcomes.push(status); // "accepted", or "refused" with the winner
    }
    cursor = page.nextCursor;
  } while (cursor);
  return outcomes;
}
