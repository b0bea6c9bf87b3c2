import type { SessionEvent } from "@holdpoint/protocol";

/** The agent's texts in a turn, in the order of the log. */
export function saidIn(events: readonly SessionEvent[], turnId: string): string[] {
  return events.flatMap((event) =>
    event.type === "assistant_message" && event.turnId === turnId ? [event.text] : [],
  );
}

/** The events of one interaction, in the order of the log. */
export function lifeOf(events: readonly SessionEvent[], interactionId: string): SessionEvent[] {
  return events.filter((event) =>
    event.type === "interaction_request"
      ? event.interaction.interactionId === interactionId
      : "interactionId" in event &&
        event.interactionId === interactionId &&
        event.type.startsWith("interaction_"),
  );
}
