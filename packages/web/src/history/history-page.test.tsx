// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import type { HistoryEntry } from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import { HoldpointProvider, preloadConversation } from "@holdpoint/react";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { HistoryPage } from "./history-page.tsx";

beforeAll(preloadConversation);
beforeEach(() => history.replaceState(null, "", "/history"));
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

type HistoryInput = NonNullable<Parameters<Transport["listHistory"]>[0]>;

/** A gateway with these answers, which it returns in pages. */
function show(entries: readonly HistoryEntry[]) {
  const asked: HistoryInput[] = [];
  const transport: Transport = {
    ...createLinkedGateway().transport,
    ...createLinkedOverview(),
    getInteraction: async () => interaction,
    listAgents: async () => [],
    listHistoryNames: async () => ({ people: ["Ada", "Bob"], agents: ["demo"], tools: ["Bash"] }),
    listHistory: async (query = {}) => {
      asked.push(query);
      const { words = "", person, cursor = "0", limit = 50 } = query;
      const found = entries.filter(
        (entry) => entry.asked.includes(words) && (person ?? entry.by.person) === entry.by.person,
      );
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

test("an answer shows the question, the answer, the person, the place and the time, and opens as its card", async () => {
  show([createEntry(0, { approvalScope: "session" })]);
  const row = await screen.findByRole("button", { name: /step-0/ });
  expect(row.textContent).toContain("Allowed for this session");
  expect(row.textContent).toContain("Ada, Safari on iPhone");
  expect(row.textContent).toContain("Billing");
  expect(row.querySelector("time")?.dateTime).toBe(AT);
  fireEvent.click(row);
  await waitFor(() => expect(document.querySelector("article")).not.toBeNull());
  expect(document.querySelector("article")?.textContent).toContain("Delivered to the agent");
  expect(screen.getByRole("link", { name: "Open the conversation" }).getAttribute("href")).toBe(
    "/s/ses_1",
  );
  fireEvent.click(row);
  expect(document.querySelector("article")).toBeNull();
});

test("the gateway searches, and an empty result is shown", async () => {
  const { asked } = show([createEntry(0), createEntry(1)]);
  await waitFor(() => expect(rows()).toHaveLength(2));
  const search = screen.getByRole("searchbox", { name: "Search the history" });
  fireEvent.change(search, { target: { value: " step-1 " } });
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(asked.at(-1)?.words).toBe("step-1");
  fireEvent.change(search, { target: { value: "nowhere" } });
  expect(await screen.findByText("No answers match your search")).toBeTruthy();
});

test("each filter is in the address, narrows the list, and is removed with Back or at once", async () => {
  history.replaceState(null, "", "/history?person=Bob&action=deny&from=2026-01-02T03:04:05.678Z");
  const bobs = createEntry(1, { by: { ...by, person: "Bob" } });
  const { asked } = show([createEntry(0), bobs]);
  await waitFor(() => expect(rows()).toHaveLength(1));
  const link = { person: "Bob", action: "deny", from: "2026-01-02T03:04:05.678Z" };
  expect(asked.at(-1)).toEqual({ ...link, limit: 50 });
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  await waitFor(() => expect(field("Tool").textContent).toContain("Bash"));
  expect(["Person", "Agent", "Tool", "Answer"].map((name) => field(name).value)).toEqual([
    "Bob",
    "",
    "",
    "deny",
  ]);
  fireEvent.change(field("Tool"), { target: { value: "Bash" } });
  await waitFor(() => expect(asked.at(-1)).toEqual({ ...link, tool: "Bash", limit: 50 }));
  expect(location.search).toContain("tool=Bash");

  // A year is typed digit by digit.
  fireEvent.change(field("Until"), { target: { value: "0020-01-02" } });
  expect(location.search).not.toContain("until");
  fireEvent.change(field("Until"), { target: { value: "2026-01-02" } });
  await waitFor(() => expect(asked.at(-1)?.until).toBeDefined());
  expect(new Date(asked.at(-1)!.until!)).toEqual(new Date(2026, 0, 2, 23, 59, 59, 999));

  fireEvent.change(field("Person"), { target: { value: "Ada" } });
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "nowhere" } });
  expect(await screen.findByText("No answers match these filters")).toBeTruthy();
  await waitFor(() => expect(location.search).toContain("words=nowhere"));
  fireEvent.click(screen.getByRole("button", { name: "Show all answers" }));
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(location.search).toBe("");
  expect(field("Until").value).toBe("");
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));

  history.replaceState(null, "", "/history?person=Ada&action=perhaps");
  await act(async () => void window.dispatchEvent(new PopStateEvent("popstate")));
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(asked.at(-1)).toEqual({ person: "Ada", limit: 50 });
});

test("all results of the filter are saved as a file", async () => {
  history.replaceState(null, "", "/history?person=Ada");
  const entries = Array.from({ length: 450 }, (_, index) =>
    createEntry(index, index % 2 === 0 ? {} : { by: { ...by, person: "Bob" } }),
  );
  show(entries);
  await waitFor(() => expect(rows()).toHaveLength(50));
  const saved: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved.push(blob as Blob);
    return "blob:history";
  });
  const links: (readonly string[])[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    links.push([this.href, this.download]);
  });
  fireEvent.click(screen.getByRole("button", { name: "Export as JSON Lines" }));
  await waitFor(() => expect(links).toHaveLength(1));
  expect(links[0]![0]).toBe("blob:history");
  expect(links[0]![1]).toMatch(/^holdpoint-history-\d{4}-\d{2}-\d{2}\.jsonl$/);
  const lines = (await saved[0]!.text()).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    entries.filter((entry) => entry.by.person === "Ada"),
  );
  vi.restoreAllMocks();
});

test("the newest fifty of many answers are shown, then more", async () => {
  show(Array.from({ length: 120 }, (_, index) => createEntry(index)));
  await waitFor(() => expect(rows()).toHaveLength(50));
  for (const count of [100, 120]) {
    fireEvent.click(screen.getByRole("button", { name: "Show older" }));
    await waitFor(() => expect(rows()).toHaveLength(count));
  }
  expect(screen.queryByRole("button", { name: "Show older" })).toBeNull();
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
