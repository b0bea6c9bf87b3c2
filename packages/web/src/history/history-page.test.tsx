// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import type { HistoryEntry } from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import { HoldpointProvider, preloadConversation } from "@holdpoint/react";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";

import { HistoryPage } from "./history-page.tsx";

beforeAll(preloadConversation);
afterEach(cleanup);

const AT = "2026-01-01T00:00:00.000Z";
const by = { person: "Ada", client: "Safari on iPhone", at: AT };

function createEntry(index: number, over: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    interactionId: `int_${index}`,
    sessionId: "ses_1",
    sessionTitle: "Billing",
    agent: "demo",
    shown: "0".repeat(64),
    kind: "approval",
    toolName: "Bash",
    asked: `Run npm run step-${index}?`,
    action: "approve",
    by,
    how: "resumed",
    ...over,
  };
}

const interaction = sampleInteraction({
  interactionId: "int_0",
  status: "delivered",
  startedAt: AT,
  approval: {
    input: { command: "npm run step-0" },
    cwd: "/work",
    display: {},
    digest: "digest",
    scopes: ["once"],
    scopeText: {},
    editable: false,
  },
  response: { action: "approve" },
  by,
  how: "resumed",
});

/** A gateway with so many answers, which gives them by page. */
function show(entries: readonly HistoryEntry[]) {
  const asked: (string | undefined)[] = [];
  const transport: Transport = {
    ...createLinkedGateway().transport,
    ...createLinkedOverview(),
    getInteraction: async () => interaction,
    listHistory: async (query = {}) => {
      asked.push(query.words);
      const { words = "", cursor = "0", limit = 50 } = query;
      const found = entries.filter((entry) => entry.asked.includes(words));
      const end = Number(cursor) + limit;
      const items = found.slice(Number(cursor), end);
      return { items, ...(end < found.length && { nextCursor: String(end) }) };
    },
  };
  render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
      <HistoryPage inboxToggle={null} />
    </HoldpointProvider>,
  );
  return { asked };
}

const rows = () => screen.queryAllByRole("listitem");

test("an answer says what was asked, how it was answered, by whom, from where and when, and opens to the card as it was", async () => {
  show([createEntry(0, { approvalScope: "session" })]);
  const row = await screen.findByRole("button", { name: /step-0/ });
  expect(row.textContent).toContain("Allowed for this session");
  expect(row.textContent).toContain("Ada, Safari on iPhone");
  expect(row.textContent).toContain("Billing");
  expect(row.querySelector("time")?.dateTime).toBe(AT);
  fireEvent.click(row);
  await waitFor(() => expect(document.querySelector("article")).not.toBeNull());
  expect(document.querySelector("article")?.textContent).toContain("The agent has it");
  expect(screen.getByRole("link", { name: "Open the conversation" }).getAttribute("href")).toBe(
    "/s/ses_1",
  );
  fireEvent.click(row);
  expect(document.querySelector("article")).toBeNull();
});

test("the gateway searches, and says that nothing was found", async () => {
  const { asked } = show([createEntry(0), createEntry(1)]);
  await waitFor(() => expect(rows()).toHaveLength(2));
  const search = screen.getByRole("searchbox", { name: "Search the history" });
  fireEvent.change(search, { target: { value: " step-1 " } });
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(asked.at(-1)).toBe("step-1");
  fireEvent.change(search, { target: { value: "nowhere" } });
  expect(await screen.findByText("Nothing answered has these words.")).toBeTruthy();
});

test("of many answers the newest fifty are shown, then more", async () => {
  show(Array.from({ length: 120 }, (_, index) => createEntry(index)));
  await waitFor(() => expect(rows()).toHaveLength(50));
  for (const count of [100, 120]) {
    fireEvent.click(screen.getByRole("button", { name: "Show older ones" }));
    await waitFor(() => expect(rows()).toHaveLength(count));
  }
  expect(screen.queryByRole("button", { name: "Show older ones" })).toBeNull();
});

test("a denial is not shown as done, and hostile text has marks", async () => {
  show([
    createEntry(0, { action: "deny", answer: "Not \u202etoday", asked: "Run rm\u200b?" }),
    createEntry(1, { action: "submit", kind: "question", answer: "Blue" }),
  ]);
  const row = await screen.findByRole("button", { name: /rm/ });
  expect(row.closest("li")?.dataset["action"]).toBe("deny");
  expect(row.textContent).toContain("Denied: ");
  expect(row.textContent).not.toContain("\u202e");
  expect(row.textContent).not.toContain("\u200b");
});
