import type { Transport } from "holdpoint/client";

/** Approves deployments to staging and denies the others, over any transport. Returns the outcome of each. */
export async function answerDeployments(transport: Transport): Promise<string[]> {
  const { items } = await transport.listInteractions({ status: ["pending"] });
  const outcomes = items.map(async ({ interactionId, approval }) => {
    if (!approval) return "not an approval";
    const isStaging = approval.input["target"] === "staging";
    const result = await transport.respond(
      interactionId,
      isStaging
        ? { action: "approve", digest: approval.digest }
        : { action: "deny", reason: "Only staging may be deployed without me." },
    );
    if (result.status === "accepted") return "accepted";
    // Another client answered first: the problem names the winner.
    return `refused: ${result.problem.winner?.by.person ?? result.problem.code}`;
  });
  return Promise.all(outcomes);
}
