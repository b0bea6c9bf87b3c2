import type { InteractionList, SessionEvent } from "@holdpoint/protocol";

import { Api, until } from "../../e2e/support/api.ts";
import type { Book, Entry } from "./book.ts";
import type { Follower } from "./follower.ts";

const PAGE = 1000;
/** How long a client may lag behind at the end. */
const PATIENCE_MS = 30_000;

/** Compares the final state with the acknowledgements to programs, people and clients. Problems go into the book. */
export async function judge(
  url: string,
  book: Book,
  followers: readonly Follower[],
): Promise<void> {
  const api = new Api(url);
  await judgePending(api, book);
  const bySession = Map.groupBy(book.entries.values(), ({ sessionId }) => sessionId);
  const logs = new Map<string, readonly SessionEvent[]>();
  for (const [sessionId, entries] of bySession) {
    const log = await api.events(sessionId);
    logs.set(sessionId, log);
    judgeLog(book, log, entries);
  }
  for (const follower of followers) {
    await judgeFollower(book, follower, logs.get(follower.sessionId) ?? []);
  }
}

async function judgePending(api: Api, book: Book): Promise<void> {
  const pending = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor && { cursor }) });
    const { status, body } = await api.call<InteractionList>("GET", `/interactions?${query}`);
    if (status !== 200) return book.problem(`the list of what is pending got ${status}`);
    for (const { interactionId } of body.items) pending.add(interactionId);
    cursor = body.nextCursor;
    if (cursor === undefined) break;
  }
  for (const { interactionId, reply } of book.entries.values()) {
    if (pending.has(interactionId) === (reply === undefined)) continue;
    book.problem(`${interactionId} is ${reply === undefined ? "lost" : "still pending"}`);
  }
}

/** Checks that every acknowledged ask and answer is in the log once, and nothing else. */
function judgeLog(book: Book, log: readonly SessionEvent[], entries: readonly Entry[]): void {
  const [{ sessionId } = { sessionId: "" }] = entries;
  if (log.some(({ seq }, index) => seq !== index + 1)) book.problem(`${sessionId} has a gap`);
  const told = Map.groupBy(log, (event) =>
    event.type === "interaction_request"
      ? event.interaction.interactionId
      : "interactionId" in event
        ? event.interactionId
        : undefined,
  );
  told.delete(undefined);
  for (const { interactionId, reply, isFetched } of entries) {
    const events = told.get(interactionId) ?? [];
    told.delete(interactionId);
    const count = (type: string): number => events.filter((event) => event.type === type).length;
    const found = ["interaction_request", "interaction_response", "interaction_delivered"];
    const counts = found.map(count).join(" ");
    const wanted = [1, reply === undefined ? 0 : 1, isFetched ? 1 : 0].join(" ");
    const isRight = counts === wanted;
    if (!isRight) book.problem(`${interactionId} is in the log as ${counts}, not ${wanted}`);
    const answer = events.find((event) => event.type === "interaction_response");
    if (answer?.reply !== reply) book.problem(`${interactionId} has the answer of somebody else`);
  }
  for (const interactionId of told.keys()) book.problem(`${interactionId} was asked by nobody`);
}

async function judgeFollower(
  book: Book,
  follower: Follower,
  log: readonly SessionEvent[],
): Promise<void> {
  const { sessionId, events } = follower;
  const isThere = async (): Promise<boolean> => events.length >= log.length;
  await until(isThere, "a client that is behind", PATIENCE_MS).catch(() => undefined);
  const isSame = events.every((json, index) => json === JSON.stringify(log[index]));
  if (follower.problem !== undefined) book.problem(`a client of ${sessionId} ${follower.problem}`);
  else if (!isSame || events.length !== log.length) {
    book.problem(`a client of ${sessionId} was told ${events.length} of ${log.length} events`);
  }
}
