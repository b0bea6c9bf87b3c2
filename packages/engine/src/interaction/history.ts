import {
  type History,
  type HistoryEntry,
  type HistoryQuery,
  MAX_HISTORY_WORDS,
  toShortLine,
  whatIsAsked,
  askedSaying,
  saidOf,
} from "@holdpoint/protocol";

import { answerParts, toSearchedWords } from "../lib/history-text.ts";
import type { AnsweredInteraction, Store } from "../ports/store.ts";

/** What was answered in all sessions, newest answer first. */
export async function listHistory(
  { store }: { readonly store: Store },
  { words = "", cursor, limit }: HistoryQuery,
): Promise<History> {
  const { items, nextCursor } = await store.listAnswered({
    words: toSearchedWords(words, MAX_HISTORY_WORDS),
    limit,
    ...(cursor !== undefined && { cursor }),
  });
  return { items: items.flatMap(toEntry), ...(nextCursor !== undefined && { nextCursor }) };
}

function toEntry({ stored, sessionTitle }: AnsweredInteraction): HistoryEntry[] {
  const { interaction } = stored;
  const { interactionId, sessionId, kind, toolName, response, by, how } = interaction;
  if (!response || !by) return [];
  const { action, approvalScope, editedInput, grantId, reason, reply } = response;
  const said = reason ?? reply ?? answerParts(interaction).join(", ");
  return [
    {
      interactionId,
      sessionId,
      sessionTitle,
      kind,
      toolName,
      asked: whatIsAsked(interaction),
      ...saidOf({ asked: askedSaying(interaction) }),
      action,
      ...(approvalScope !== undefined && { approvalScope }),
      ...(editedInput !== undefined && { edited: true }),
      ...(grantId !== undefined && { grantId }),
      ...(said.trim() !== "" && { answer: toShortLine(said) }),
      by,
      ...(how !== undefined && { how }),
    },
  ];
}
