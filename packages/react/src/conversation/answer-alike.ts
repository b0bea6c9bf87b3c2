import type { Interaction, RespondBody } from "@holdpoint/protocol";

import type { useRespond } from "../hooks/use-respond.ts";

/** Gives an approval the answer of another one. What cannot be given stays open, and is seen to be. */
export async function answerAlike(
  respond: ReturnType<typeof useRespond>,
  { interactionId, approval }: Interaction,
  { action, approvalScope, editedInput, reason }: RespondBody,
): Promise<void> {
  const isWider = approvalScope !== undefined && approvalScope !== "once";
  if (approval === undefined || isWider || editedInput !== undefined) return;
  const { digest } = approval;
  const body: RespondBody =
    action === "approve"
      ? { action, digest, approvalScope: "once" }
      : { action, ...(reason !== undefined && { reason }) };
  await respond(interactionId, body).catch(() => undefined);
}
