import type { Interaction } from "@holdpoint/protocol";

type Interactions = ReadonlyMap<string, Interaction>;

/**
 * What to say aloud when the interactions change from one snapshot to the next: new ones that wait, and what became
 * of those that waited. Own answers are not announced twice: the card's own status says them.
 */
export function toAnnouncements(
  before: Interactions,
  after: Interactions,
  ownClientId: string,
): readonly string[] {
  const spoken: string[] = [];
  for (const interaction of after.values()) {
    const known = before.get(interaction.interactionId);
    if (interaction.status === "pending") {
      if (known === undefined) spoken.push(`Waiting for you: ${toTitle(interaction)}`);
    } else if (known?.status === "pending") {
      const outcome = toOutcome(interaction, ownClientId);
      if (outcome !== undefined) spoken.push(`${toTitle(interaction)}: ${outcome}`);
    }
  }
  return spoken;
}

/** What an interaction asks, in one line. Untrusted text. */
export function toTitle(interaction: Interaction): string {
  const [question] = interaction.questions ?? [];
  return (
    interaction.prompt ??
    interaction.approval?.display.title ??
    question?.question ??
    `Allow ${interaction.toolName}?`
  );
}

function toOutcome(interaction: Interaction, ownClientId: string): string | undefined {
  switch (interaction.status) {
    case "pending":
      return undefined;
    case "answered":
    case "delivered":
      return interaction.by === undefined || interaction.by.clientId === ownClientId
        ? "your answer was taken"
        : `answered by ${interaction.by.person} on ${interaction.by.client}`;
    case "expired":
      return "time ran out";
    case "withdrawn":
      return "no longer asked";
    case "orphaned":
      return "the agent is gone";
  }
}
