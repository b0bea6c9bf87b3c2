import type { Interaction } from "@holdpoint/protocol";

/** The other pending approvals that show, but for session and time, exactly what this one shows. Oldest first. */
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

/** All that a person sees before they decide; undefined for what is decided one by one. */
function toShown({ status, toolName, prompt, approval }: Interaction): string | undefined {
  if (status !== "pending" || approval === undefined || approval.defaultToDeny === true) {
    return undefined;
  }
  // All but the digest, which is of one interaction alone: whatever an approval has, a person may have seen.
  const { digest, ...shown } = approval;
  if (digest === "" || !shown.scopes.includes("once")) return undefined;
  return JSON.stringify([toolName, prompt, shown]);
}
