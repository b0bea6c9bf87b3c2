import {
  type History,
  type HistoryEntry,
  type HistoryNames,
  type HistoryQuery,
  MAX_HISTORY_WORDS,
  type Sight,
  toShortLine,
  summarizeRequest,
  requestSaying,
  saidOf,
} from "@holdpoint/protocol";

import { answerParts, toSearchedWords } from "../lib/history-text.ts";
import type { AnsweredInteraction, Store } from "../ports/store.ts";
import { shownDigestOf } from "./shown-digest.ts";

interface HistoryParts {
  readonly store: Pick<Store, "listAnswered" | "listAnsweredNames">;
}

/** The most answers that are read for one page, however few of them match. */
const MAX_ROWS = 10_000;

/** The answers in all visible sessions, newest first. */
export async function listHistory(
  { store }: HistoryParts,
  { words = "", person, agent, tool, action, from, until, cursor, limit }: HistoryQuery,
  sight?: Sight,
): Promise<History> {
  const { items, nextCursor } = await store.listAnswered({
    words: toSearchedWords(words, MAX_HISTORY_WORDS),
    ...(person !== undefined && { person }),
    ...(agent !== undefined && { agent }),
    ...(tool !== undefined && { tool }),
    ...(action !== undefined && { action }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(until !== undefined && { untilMs: Date.parse(until) }),
    maxRows: MAX_ROWS,
    limit,
    sight,
    ...(cursor !== undefined && { cursor }),
  });
  return { items: items.flatMap(toEntry), ...(nextCursor !== undefined && { nextCursor }) };
}

/** The names that a filter can use. */
export async function listHistoryNames(
  { store }: HistoryParts,
  sight?: Sight,
): Promise<HistoryNames> {
  const { people, agents, tools } = await store.listAnsweredNames(MAX_ROWS, sight);
  return { people: people.toSorted(), agents: agents.toSorted(), tools: tools.toSorted() };
}

function toEntry({ stored, sessionTitle, agent }: AnsweredInteraction): HistoryEntry[] {
  const { interaction } = stored;
  const { interactionId, sessionId, kind, toolName, response, by, how, notes } = interaction;
  if (!response || !by) return [];
  const { action, approvalScope, editedInput, grantId, reason, reply } = response;
  const said = reason ?? reply ?? answerParts(interaction).join(", ");
  return [
    {
      interactionId,
      sessionId,
      sessionTitle,
      agent,
      kind,
      toolName,
      asked: summarizeRequest(interaction),
      ...saidOf({ asked: requestSaying(interaction) }),
      shown: shownDigestOf(interaction),
      action,
      ...(approvalScope !== undefined && { approvalScope }),
      ...(editedInput !== undefined && { edited: true }),
      ...(grantId !== undefined && { grantId }),
      ...(said.trim() !== "" && { answer: toShortLine(said) }),
      ...(notes?.comments && { comments: notes.comments.length }),
      by,
      ...(how !== undefined && { how }),
    },
  ];
}
