import {
  type Batch,
  type GrantWrite,
  type Store,
  type StoredInteraction,
  createMemoryStore,
} from "@holdpoint/engine";
import type { Interaction, InteractionStatus } from "@holdpoint/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const STATUSES = [
  "pending",
  "answered",
  "delivered",
  "expired",
] as const satisfies InteractionStatus[];
const instant = (offsetMs: number): string =>
  new Date(Date.parse("2025-01-01T00:00:00.000Z") + offsetMs).toISOString();

const small = fc.integer({ min: 0, max: 3 });
const sessionIds = small.map((index) => `ses_${index}`);
const interactionIds = small.map((index) => `int_${index}`);
/** Tool call and start of an interaction never change: they follow from its id. */
const numberOf = (interactionId: string): number => Number(interactionId.slice("int_".length));
const messageIds = small.map((index) => `msg_${index}`);
const statuses = fc.constantFrom(...STATUSES);

const appends = fc.record({
  kind: fc.constant("append" as const),
  sessionId: sessionIds,
  withSession: fc.boolean(),
  at: small,
  status: fc.constantFrom("idle" as const, "running" as const),
  archived: fc.boolean(),
  events: fc.array(fc.string({ unit: "binary" }), { maxLength: 2 }),
  interactions: fc.array(
    fc.record({
      interactionId: interactionIds,
      status: statuses,
      expectedStatus: fc.option(statuses, { nil: undefined, freq: 2 }),
      deadlineAt: fc.option(small, { nil: undefined }),
      hasRequestEvent: fc.boolean(),
      leaving: fc.constantFrom(undefined, undefined, "leaves" as const, "has left" as const),
    }),
    { maxLength: 2 },
  ),
  enqueue: fc.array(
    fc.record({ messageId: messageIds, idempotencyKey: fc.option(small, { nil: undefined }) }),
    { maxLength: 2 },
  ),
  dequeue: fc.array(messageIds, { maxLength: 1 }),
  grants: fc.array(
    fc.record({
      type: fc.constantFrom("add", "add", "use", "remove"),
      grantId: small.map((index) => `gnt_${index}`),
      bound: fc.boolean(),
      createdAt: small,
      expiresAt: fc.option(small, { nil: undefined }),
    }),
    { maxLength: 2 },
  ),
});

const deletions = fc.record({ kind: fc.constant("delete" as const), sessionId: sessionIds });

type Command =
  | (typeof appends extends fc.Arbitrary<infer T> ? T : never)
  | (typeof deletions extends fc.Arbitrary<infer T> ? T : never);

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: appends },
  { weight: 1, arbitrary: deletions },
);

function toBatch(command: Command & { kind: "append" }): Batch {
  const { sessionId } = command;
  const at = instant(command.at);
  return {
    sessionId,
    ...(command.withSession && {
      session: {
        sessionId,
        agent: "demo",
        cwd: "/",
        title: `${command.at} A`,
        permissionMode: "default",
        status: command.status,
        createdAt: at,
        updatedAt: at,
        ...(command.archived && { archivedAt: at }),
      },
    }),
    events: [
      ...command.events.map((content) => ({
        at,
        type: "user_message" as const,
        messageId: "msg_1",
        content,
        origin: "person" as const,
      })),
      ...command.interactions
        .filter(({ hasRequestEvent }) => hasRequestEvent)
        .map((write) => ({
          at,
          type: "interaction_request" as const,
          turnId: "trn_1",
          interaction: askedIn(sessionId, write),
        })),
    ],
    interactions: command.interactions.map((write) => ({
      row: {
        interaction: { ...askedIn(sessionId, write), ...outcomeOf(write) },
        ...(numberOf(write.interactionId) % 3 === 0 && {
          call: { callDigest: "digest", step: 0, requestDigest: "digest" },
        }),
        ...(write.status === "answered" && { responseKey: "key-12345" }),
        ...(write.leaving && { leftOverview: true as const }),
      },
      expectedStatus: write.expectedStatus,
      ...(write.leaving === "leaves" && { leavesOverview: true as const }),
    })),
    enqueue: command.enqueue.map(({ messageId, idempotencyKey }) => ({
      sessionId,
      messageId,
      turnId: "trn_1",
      content: messageId,
      origin: "person" as const,
      queuedAt: at,
      ...(idempotencyKey !== undefined && { idempotencyKey: `key-${idempotencyKey}` }),
    })),
    dequeue: command.dequeue,
    grants: command.grants.map((grant) => toGrantWrite(grant, sessionId)),
  };
}

type AppendCommand = Command & { kind: "append" };
type InteractionCommand = AppendCommand["interactions"][number];

/** Its request: the same in every write, except for its deadline. */
function askedIn(
  sessionId: string,
  { interactionId, deadlineAt }: InteractionCommand,
): Interaction {
  const number = numberOf(interactionId);
  return {
    interactionId,
    sessionId,
    turnId: "trn_1",
    toolCallId: `call_${number % 2}`,
    toolName: "ask_user",
    kind: "question",
    status: "pending",
    prompt: `Question ${number}?`,
    attempt: 1,
    presentation: "tool",
    startedAt: instant(number % 3),
    ...(deadlineAt !== undefined && { deadlineAt: instant(deadlineAt) }),
    onTimeout: number === 1 ? "deny" : "wait",
    hold: "held",
  };
}

/** The outcome fields of a status. */
function outcomeOf({ status, interactionId }: InteractionCommand): Partial<Interaction> {
  const by = { person: "Ada", client: "laptop", at: instant(1) };
  switch (status) {
    case "pending":
      return { hold: "queued" };
    case "expired":
      return {
        status,
        closedReason: `It is ${status}.`,
        closedAt: instant(numberOf(interactionId)),
      };
    case "answered":
      return { status, response: { action: "submit" }, by };
    case "delivered":
      return { status, response: { action: "submit" }, by, how: "resumed", failure: "Too long." };
  }
}

function toGrantWrite(grant: AppendCommand["grants"][number], sessionId: string): GrantWrite {
  const { type, grantId } = grant;
  const at = instant(grant.createdAt);
  if (type === "use") return { type, grantId, usedAt: at };
  if (type === "remove") return { type, grantId };
  return {
    type: "add",
    row: {
      grant: {
        grantId,
        scope: grant.bound ? "session" : "always",
        toolName: "Bash",
        text: sessionId,
        ...(grant.bound && { sessionId }),
        createdAt: at,
        ...(grant.expiresAt !== undefined && { expiresAt: instant(grant.expiresAt) }),
        by: { person: "Ada", client: "laptop", at },
        interactionId: "int_1",
      },
      keyHash: `key_${grant.createdAt}`,
      sessionId,
    },
  };
}

function run(store: Store, command: Command): Promise<unknown> {
  if (command.kind === "delete") return store.deleteSession(command.sessionId);
  return store.append(toBatch(command));
}

function sortById(rows: readonly StoredInteraction[]): StoredInteraction[] {
  const idOf = ({ interaction }: StoredInteraction): string => interaction.interactionId;
  return rows.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

/** All that can be read from a store. */
async function observe(store: Store): Promise<unknown> {
  const ids = [0, 1, 2, 3];
  const nowMs = Date.parse(instant(2));
  return {
    sessions: await store.listSessions({ limit: 3 }),
    kept: await store.listSessions({ archived: false, limit: 2 }),
    archived: await store.listSessions({ archived: true, words: ["a"], limit: 2 }),
    busy: await store.listSessions({ onlyBusy: true, limit: 2 }),
    queued: await store.listQueuedSessions(),
    all: await store.listInteractions({ statuses: STATUSES, limit: 3 }),
    due: await store.listDue(nowMs, 2),
    next: await store.nextDeadline(),
    closed: await store.listClosed({ status: "expired", untilMs: nowMs, limit: 9 }).then(sortById),
    first: await store.firstClosed("expired"),
    grants: await store.listGrants({ nowMs, limit: 3 }),
    counts: await store.countAnswerable(),
    each: await Promise.all(
      ids.map(async (index) => ({
        session: await store.getSession(`ses_${index}`),
        events: await store.readEvents(`ses_${index}`, { after: 1, limit: 4 }),
        tail: await store.readEvents(`ses_${index}`, { limit: 2 }),
        interaction: await store.getInteraction(`int_${index}`),
        own: await store.listInteractions({
          statuses: ["answered", "pending", "expired"],
          sessionId: `ses_${index}`,
          limit: 2,
        }),
        calls: await store.listToolCallInteractions(`ses_${index}`, "call_1"),
        resuming: await store.listResuming(`ses_${index}`),
        queue: await store.listQueue(`ses_${index}`),
        message: await store.nextMessage(`ses_${index}`),
        keyed: await store.findMessage(`ses_${index}`, "key-1"),
        grant: await store.getGrant(`gnt_${index}`),
        found: await store.findGrants({ keyHash: "key_1", sessionId: `ses_${index}`, nowMs }),
      })),
    ),
  };
}

test("[R-16] any calls, concurrent ones too, give the same results in SQLite and memory", async () => {
  await using sqlite = await openSqliteStore({ dataDir: createTemporaryDir() });
  const property = fc.asyncProperty(
    fc.array(fc.array(commands, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
    async (bursts) => {
      const memory = createMemoryStore();
      for (const index of [0, 1, 2, 3]) {
        await sqlite.deleteSession(`ses_${index}`);
        await sqlite.removeGrant(`gnt_${index}`);
      }
      for (const burst of bursts) {
        const said = await Promise.all(burst.map((command) => run(sqlite, command)));
        const expected = await Promise.all(burst.map((command) => run(memory, command)));
        expect(said).toEqual(expected);
        expect(await observe(sqlite)).toEqual(await observe(memory));
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
