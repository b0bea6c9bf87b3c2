import type { Interaction, RespondBody, RespondResult } from "@holdpoint/protocol";

import type { useRespond } from "../hooks/use-respond.ts";

/** Gives the same answer to other approvals. Resolves to the approvals that were answered. */
export async function answerAllIdentical(
  respond: ReturnType<typeof useRespond>,
  others: readonly Interaction[],
  body: RespondBody,
): Promise<Interaction[]> {
  const results = await Promise.all(others.map((other) => answerAlike(respond, other, body)));
  return results.flatMap((each) => (each?.status === "accepted" ? [each.interaction] : []));
}

/** Gives the same answer to one approval. If that fails, the approval stays open, which the person sees. */
async function answerAlike(
  respond: ReturnType<typeof useRespond>,
  { interactionId, approval }: Interaction,
  { action, approvalScope, editedInput, reason, undoMs }: RespondBody,
): Promise<RespondResult | undefined> {
  const isWider = approvalScope !== undefined && approvalScope !== "once";
  if (approval === undefined || isWider || editedInput !== undefined) return undefined;
  const { digest } = approval;
  const body: RespondBody =
    action === "approve"
      ? { action, digest, approvalScope: "once", undoMs }
      : { action, undoMs, ...(reason !== undefined && { reason }) };
  return respond(interactionId, body).catch(() => undefined);
}
