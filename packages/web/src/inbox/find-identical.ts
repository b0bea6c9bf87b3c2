import type { Interaction } from "@holdpoint/protocol";

/** The other pending approvals that show exactly the same except for session and time, oldest first. */
export function findIdentical(
  interaction: Interaction,
  waiting: readonly Interaction[],
): readonly Interaction[] {
  const shown = toShown(interaction);
  if (shown === undefined) return [];
  return waiting.filter(
    (other) => other.interactionId !== interaction.interactionId && toShown(other) === shown,
  );
}

/** Everything shown before the decision; undefined for approvals that must be decided one at a time. */
function toShown({ status, toolName, prompt, approval }: Interaction): string | undefined {
  if (status !== "pending" || approval === undefined || approval.defaultToDeny === true) {
    return undefined;
  }
  // Everything except the digest, which is unique: the person may have seen any part of an approval.
  const { digest, ...shown } = approval;
  if (digest === "" || !shown.scopes.includes("once")) return undefined;
  return JSON.stringify([toolName, prompt, shown]);
}
