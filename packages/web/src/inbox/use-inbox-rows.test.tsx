// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import type { Interaction, Session, Snooze } from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import {
  HoldpointProvider,
  preloadConversation,
  useOverview,
  type UiClock,
} from "@holdpoint/react";
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { InboxPanel } from "./inbox-panel.tsx";
import { SNOOZE_TIMES } from "./snooze-times.ts";
import { useInboxRows } from "./use-inbox-rows.ts";

beforeAll(preloadConversation);
afterEach(cleanup);

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const AT = new Date(NOW_MS).toISOString();
const MINUTE_MS = 60_000;

const session: Session = {
  sessionId: "ses_1",
  agent: "demo",
  cwd: "/work",
  title: "Dates",
  permissionMode: "default",
  status: "waiting",
  createdAt: AT,
  updatedAt: AT,
  lastSeq: 0,
};

function createAsked(name: string): Interaction {
  return sampleInteraction({
    interactionId: `int_${name}`,
    toolCallId: `call_${name}`,
    startedAt: AT,
    hold: "parked",
    approval: {
      input: { command: `npm run ${name}` },
      cwd: "/work",
      display: {},
      digest: "digest",
      scopes: ["once"],
      scopeText: {},
      editable: false,
    },
  });
}

/** A clock that goes by hand. */
function createClock() {
  let nowMs = NOW_MS;
  let timers: { atMs: number; run: () => void }[] = [];
  const clock: UiClock = {
    now: () => nowMs,
    schedule(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
  };
  const advance = (ms: number): void => {
    nowMs += ms;
    const due = timers.filter(({ atMs }) => atMs <= nowMs);
    timers = timers.filter(({ atMs }) => atMs > nowMs);
    for (const { run } of due) run();
  };
  return { clock, advance };
}

function Inbox(): ReactNode {
  const { overview, loaded } = useOverview();
  const rows = useInboxRows(overview);
  return <InboxPanel overview={overview} rows={rows} loading={!loaded} onClose={() => undefined} />;
}

function show() {
  let kept: Snooze[] = [];
  let isFailing = false;
  const overview = createLinkedOverview({
    sessions: [session],
    pending: [createAsked("build"), createAsked("deploy")],
  });
  const tell = (): void => overview.show({ type: "snoozes_changed" });
  const transport: Transport = {
    ...createLinkedGateway().transport,
    followOverview: overview.followOverview,
    listAgents: async () => [],
    getInteraction: async () => createAsked("build"),
    listSnoozes: async () => {
      if (isFailing) throw new Error("The store failed.");
      return { items: kept };
    },
    snoozeInteraction: async (interactionId, { until }) => {
      kept = [...kept, { interactionId, until }];
      tell();
      return { interactionId, until };
    },
    endSnooze: async (interactionId) => {
      kept = kept.filter((each) => each.interactionId !== interactionId);
      tell();
    },
  };
  const { clock, advance } = createClock();
  render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()} uiClock={clock}>
      <Inbox />
    </HoldpointProvider>,
  );
  /** Another device denies it. */
  const answer = (name: string): void => {
    const by = { person: "Ada", client: "phone", at: AT };
    const response = { action: "deny" } as const;
    overview.show(
      {
        type: "interaction_changed",
        interaction: { ...createAsked(name), status: "answered", response, by },
      },
      {
        type: "counts_changed",
        counts: { pending: 1, late: 0, sessions: 1, waitingSessions: 1, workingSessions: 0 },
      },
    );
  };
  /** Others have to answer it. */
  const narrow = (name: string): void => {
    const responders = { circles: [{ who: [{ group: "ops", issuer: "https://login.example" }] }] };
    overview.show(
      { type: "interaction_changed", interaction: { ...createAsked(name), responders } },
      {
        type: "counts_changed",
        counts: {
          pending: 2,
          late: 0,
          forOthers: 1,
          sessions: 1,
          waitingSessions: 1,
          workingSessions: 0,
        },
      },
    );
  };
  const failReads = (): void => void (isFailing = true);
  return { advance, elsewhere: transport, answer, narrow, failReads };
}

const line = (name: string) =>
  screen.queryByRole("button", { name: new RegExp(`npm run ${name}`) });
const title = () => screen.getByRole("heading", { level: 2 }).textContent;

test("a snoozed request leaves the list and the count, is listed under Snoozed, and returns in time", async () => {
  const { advance } = show();
  fireEvent.click(await screen.findByRole("button", { name: /npm run build/ }));
  const choice = screen.getByRole("group", { name: "Snooze" });
  fireEvent.click(within(choice).getByRole("button", { name: "15 min" }));
  expect(await screen.findByText("Snoozed (1)")).toBeTruthy();
  expect([line("build"), line("deploy")]).toEqual([null, expect.anything()]);
  expect(title()).toContain("Waiting for you1");
  act(() => advance(15 * MINUTE_MS - 1));
  expect(line("build")).toBeNull();
  act(() => advance(1));
  expect(line("build")).not.toBeNull();
  expect(title()).toContain("Waiting for you2");
  expect(screen.queryByText(/Snoozed \(/)).toBeNull();
});

test("a request that is snoozed and answered hides no other one from the count, even if snoozes cannot be read", async () => {
  const { elsewhere, failReads, answer } = show();
  await screen.findByRole("button", { name: /npm run deploy/ });
  const until = new Date(NOW_MS + 60 * MINUTE_MS).toISOString();
  await act(async () => elsewhere.snoozeInteraction("int_build", { until }));
  expect(await screen.findByText("Snoozed (1)")).toBeTruthy();
  failReads();
  await act(async () => answer("build"));
  await vi.waitFor(() => expect(title()).toContain("Waiting for you1"));
  expect(line("deploy")).not.toBeNull();
});

test("a request snoozed on another device leaves this one too, and returns with a press", async () => {
  const { elsewhere } = show();
  await screen.findByRole("button", { name: /npm run deploy/ });
  const until = new Date(NOW_MS + 60 * MINUTE_MS).toISOString();
  await act(async () => elsewhere.snoozeInteraction("int_deploy", { until }));
  expect(await screen.findByText("Snoozed (1)")).toBeTruthy();
  expect(line("deploy")).toBeNull();
  await act(async () =>
    fireEvent.click(screen.getByRole("button", { name: "Bring back", hidden: true })),
  );
  expect(await screen.findByRole("button", { name: /npm run deploy/ })).toBeTruthy();
  expect(screen.queryByText(/Snoozed \(/)).toBeNull();
});

test("tomorrow morning is the next day at eight, even on the day that the clocks change", () => {
  const [, , tomorrow] = SNOOZE_TIMES;
  for (const day of [new Date(2026, 2, 28, 23, 59), new Date(2026, 9, 24, 0, 1)]) {
    const morning = new Date(tomorrow.untilMs(day.getTime()));
    expect([morning.getDate(), morning.getHours()]).toEqual([day.getDate() + 1, 8]);
  }
});

test("requests for others to answer are listed separately, and not counted", async () => {
  const { narrow } = show();
  await screen.findByRole("button", { name: /npm run build/ });
  expect(title()).toMatch(/^Waiting for you2/);
  act(() => narrow("build"));
  const others = await screen.findByRole("region", { name: "For others to answer" });
  expect(title()).toMatch(/^Waiting for you1/);
  expect(within(others).getByRole("button", { name: /npm run build/ })).toBeTruthy();
  expect(within(others).queryByRole("button", { name: /npm run deploy/ })).toBeNull();
  expect(screen.getAllByRole("button", { name: /npm run build/ })).toHaveLength(1);
});
