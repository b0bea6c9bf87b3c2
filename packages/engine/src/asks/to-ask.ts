import type { Ask, Interaction } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";

/** The ask as its program sees it. The answer includes its sensitive values while they are stored. */
export function toAsk(
  { interaction, secretValues }: StoredInteraction,
  toCardUrl: (interactionId: string) => string,
): Ask {
  const { interactionId, kind, status, startedAt, deadlineAt, response, by } = interaction;
  const { closedReason, notes } = interaction;
  const input = allowedInput(interaction);
  return {
    interactionId,
    kind,
    status,
    cardUrl: toCardUrl(interactionId),
    startedAt,
    ...(deadlineAt !== undefined && { deadlineAt }),
    ...(response && {
      response: secretValues
        ? { ...response, values: { ...response.values, ...secretValues } }
        : response,
    }),
    ...(input && { input }),
    ...(by && { by: { person: by.person, at: by.at } }),
    ...(notes?.comments && {
      comments: notes.comments.map(({ by: { person, at }, ...said }) => ({
        ...said,
        by: { person, at },
      })),
    }),
    ...(closedReason !== undefined && { closedReason }),
  };
}

/** The input that an approval allows to run: the one shown, or the person's edit of it. */
function allowedInput({ response, approval }: Interaction): Ask["input"] {
  if (response?.action !== "approve") return undefined;
  return response.editedInput ?? approval?.input;
}
