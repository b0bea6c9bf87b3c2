import type { History, HistoryEntry, HistoryQuery } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import type { FakeGateway } from "../testing/fake-gateway.ts";
import { AGENT_TOKEN, serve, type Served } from "../testing/serve.ts";

/** The error of Node's own client about an answer without an end. */
const BROKEN = /terminated|fetch failed/u;
const LINES = { headers: { accept: "application/jsonl" } };

function entry(index: number): HistoryEntry {
  return {
    interactionId: `int_${index}`,
    sessionId: "ses_1",
    sessionTitle: "Line\nbreak \u2028",
    agent: "claude",
    kind: "approval",
    toolName: "Bash",
    asked: "Run ls?",
    shown: "0".repeat(64),
    action: "approve",
    by: { person: "Ada", client: "Phone", at: "2026-01-02T03:04:05.000Z" },
  };
}

/** A gateway whose pages have one entry each; `next` makes the page after one. */
async function serveHistory(
  next: (query: HistoryQuery) => Promise<History>,
): Promise<{ served: Served<FakeGateway>; queries: HistoryQuery[] }> {
  const served = await serve();
  const queries: HistoryQuery[] = [];
  served.gateway.listHistory = async (_caller, query) => {
    queries.push(query);
    return next(query);
  };
  return { served, queries };
}

async function threePages({ cursor = "0" }: HistoryQuery): Promise<History> {
  const index = Number(cursor);
  // The second page has no match.
  const items = index === 1 ? [] : [entry(index)];
  return { items, ...(index < 2 && { nextCursor: String(index + 1) }) };
}

test("the history as lines has all results of the filter, as a file", async () => {
  const { served, queries } = await serveHistory(threePages);
  await using _ = served;
  const filter = "person=Ada&tool=Bash&action=approve&until=2026-01-02T03%3A04%3A05.000Z";
  const answer = await served.call(`/api/history?${filter}`, LINES);
  expect(answer.headers.get("content-type")).toBe("application/jsonl; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="holdpoint-history-\d{4}-\d{2}-\d{2}\.jsonl"$/,
  );
  const text = await answer.text();
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([entry(0), entry(2)]);
  const asked = {
    person: "Ada",
    tool: "Bash",
    action: "approve",
    until: "2026-01-02T03:04:05.000Z",
    limit: 200,
  };
  expect(queries).toEqual([asked, { ...asked, cursor: "1" }, { ...asked, cursor: "2" }]);
  const page = await served.call("/api/history?limit=1");
  expect(await page.json()).toEqual({ items: [entry(0)], nextCursor: "1" });
});

test.each([
  ["action=maybe", "action"],
  ["person=", "person"],
  ["from=yesterday", "from"],
  ["until=2026-01-02", "until"],
  [`tool=${"x".repeat(257)}`, "tool"],
])("the history is refused with %s, and the field is named", async (query, field) => {
  const { served, queries } = await serveHistory(threePages);
  await using _ = served;
  for (const options of [{}, LINES]) {
    const answer = await served.call(`/api/history?${query}`, options);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "BAD_REQUEST",
      fieldErrors: { [field]: expect.any(String) },
    });
  }
  expect(queries).toEqual([]);
});

test("[R-13] an agent gets no line of the history", async () => {
  const { served, queries } = await serveHistory(threePages);
  await using _ = served;
  const answer = await served.call("/api/history", { ...LINES, token: AGENT_TOKEN });
  expect(answer.status).toBe(403);
  expect(queries).toEqual([]);
});

test("a history that cannot be sent whole breaks off", async () => {
  const { served } = await serveHistory(async (query) => {
    if (query.cursor === "2") throw new Error("The disk is gone.");
    return threePages(query);
  });
  await using _ = served;
  const text = async (): Promise<string> => (await served.call("/api/history", LINES)).text();
  await expect(text()).rejects.toThrow(BROKEN);
});

test("[R-18] a closing server breaks off running downloads", async () => {
  const slow = Promise.withResolvers<void>();
  const { served } = await serveHistory(async (query) => {
    if (query.cursor === "2") await slow.promise;
    return threePages(query);
  });
  const answer = await served.call("/api/history", LINES);
  const closed = served[Symbol.asyncDispose]();
  await expect(answer.text()).rejects.toThrow(BROKEN);
  slow.resolve();
  await closed;
});
