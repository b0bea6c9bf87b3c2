import { DatabaseSync } from "node:sqlite";

import type { Batch } from "@holdpoint/engine";
import { type Interaction, type InteractionInput, transition } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { prepareDataDir } from "./data-dir.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const AT = "2026-01-01T00:00:00.000Z";
const PROMPT = "Where should we deliver to?";

const asked: Interaction = {
  interactionId: "int_1",
  sessionId: "ses_1",
  turnId: "trn_1",
  toolCallId: "call_1",
  toolName: "ask_user",
  kind: "question",
  status: "pending",
  prompt: PROMPT,
  attempt: 1,
  presentation: "tool",
  startedAt: AT,
  deadlineAt: AT,
  onTimeout: "wait",
  hold: "held",
};
const request: Batch = {
  sessionId: "ses_1",
  session: {
    sessionId: "ses_1",
    agent: "demo",
    cwd: "/",
    title: "A session",
    permissionMode: "default",
    status: "idle",
    createdAt: AT,
    updatedAt: AT,
  },
  events: [
    { type: "turn_started", at: AT, turnId: "trn_1" },
    { type: "interaction_request", at: AT, turnId: "trn_1", interaction: asked },
  ],
  interactions: [{ row: { interaction: asked }, expectedStatus: undefined }],
};
const queued: Interaction = { ...asked, hold: "queued" };
delete queued.deadlineAt;

test("a request is stored once: in its event, where its row finds it", async () => {
  const dataDir = createTemporaryDir();
  {
    await using store = await openSqliteStore({ dataDir });
    await store.append(request);
    expect(await store.getInteraction("int_1")).toEqual({ interaction: asked });
    const write = { row: { interaction: queued }, expectedStatus: "pending" as const };
    await store.append({ sessionId: "ses_1", interactions: [write] });
    expect(await store.getInteraction("int_1")).toEqual({ interaction: queued });
    expect(await store.listToolCallInteractions("ses_1", "call_1")).toEqual([
      { interaction: queued },
    ]);
  }
  using database = new DatabaseSync(prepareDataDir(dataDir).database);
  const row = database.prepare("SELECT * FROM interactions").get();
  expect(row).toMatchObject({ request_seq: 2, request: null });
  expect(JSON.stringify(row)).not.toContain(PROMPT);
});

test("a row that conflicts with one of the same batch has its request as well", async () => {
  await using store = await openSqliteStore({ dataDir: createTemporaryDir() });
  const [write] = request.interactions ?? [];
  const result = await store.append({ ...request, interactions: [write!, write!] });
  expect(result).toEqual({
    status: "conflict",
    conflict: { kind: "interaction", interactionId: "int_1", current: { interaction: asked } },
  });
  expect(await store.getSession("ses_1")).toBeUndefined();
});

const by = { person: "Ada", client: "laptop", at: AT };
const DUE = "2026-01-02T00:00:00.000Z";
const INPUTS: readonly InteractionInput[] = [
  { type: "respond", response: { action: "submit", reply: "Yes." }, by },
  { type: "deadline", at: DUE },
  { type: "withdraw", at: AT, reason: "Stopped." },
  { type: "orphan", at: AT, reason: "Gone." },
  { type: "queue", at: AT },
  { type: "lapse", at: DUE },
  { type: "deliver", at: AT, how: "user_message", turnId: "trn_1", failure: "Too long." },
];

/** Every way that an interaction can go, as the inputs on it. */
function waysFrom(interaction: Interaction): InteractionInput[][] {
  return INPUTS.flatMap((input) => {
    const next = transition(interaction, input);
    if (next.status === "refused") return [];
    return [[input], ...waysFrom(next.interaction).map((way) => [input, ...way])];
  });
}

test("an interaction is read as it was written, in every status", async ({ annotate }) => {
  const { session } = request;
  await using store = await openSqliteStore({ dataDir: createTemporaryDir() });
  await store.append({ sessionId: "ses_1", ...(session && { session }) });
  const policies = ["wait", "deny", "handler"] as const;
  const starts = policies.map((onTimeout) => ({ ...asked, deadlineAt: DUE, onTimeout }));
  const ways = starts.flatMap((start) => waysFrom(start).map((way) => ({ start, way })));
  for (const [number, { start, way }] of ways.entries()) {
    const interactionId = `int_${number}`;
    let interaction: Interaction = { ...start, interactionId };
    const { turnId } = start;
    await store.append({
      sessionId: "ses_1",
      events: [{ type: "interaction_request", at: AT, turnId, interaction }],
      interactions: [{ row: { interaction }, expectedStatus: undefined }],
    });
    for (const input of way) {
      const next = transition(interaction, input);
      if (next.status === "refused") throw new Error("It can go this way.");
      const write = { row: { interaction: next.interaction }, expectedStatus: interaction.status };
      await store.append({ sessionId: "ses_1", events: [next.event], interactions: [write] });
      ({ interaction } = next);
      expect(await store.getInteraction(interactionId)).toEqual({ interaction });
    }
  }
  expect(new Set(ways.flatMap(({ way }) => way.map(({ type }) => type)))).toEqual(
    new Set(INPUTS.map(({ type }) => type)),
  );
  await annotate(`${ways.length} ways that an interaction can go`, "cases");
});
