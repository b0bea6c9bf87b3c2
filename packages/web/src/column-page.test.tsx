// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import { HoldpointProvider, type UiClock } from "@holdpoint/react";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { DevicesPage } from "./devices/devices-page.tsx";
import { GrantsPage } from "./grants/grants-page.tsx";
import { HistoryPage } from "./history/history-page.tsx";
import { ArchivedPage } from "./sessions/archived-page.tsx";
import { FolderPage } from "./trust/folder-page.tsx";

afterEach(cleanup);

/** A clock that the test controls. */
function createHandClock(): UiClock & { pass(ms: number): void } {
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>();
  let nowMs = 0;
  return {
    now: () => nowMs,
    schedule(delayMs, run) {
      const entry = { at: nowMs + delayMs, run };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    pass(ms) {
      nowMs += ms;
      for (const entry of waiting) {
        if (entry.at > nowMs) continue;
        waiting.delete(entry);
        entry.run();
      }
    },
  };
}

const PAGES = [
  ["history", HistoryPage],
  ["archived", ArchivedPage],
  ["grants", GrantsPage],
  ["devices", DevicesPage],
  ["folder", FolderPage],
] as const;

test.for(PAGES)(
  "while the page of %s is loading, this is shown and announced, but not at once",
  async ([, ColumnPage]) => {
    const told = Promise.withResolvers<never>();
    const unanswered = () => told.promise;
    const transport: Transport = {
      ...createLinkedGateway().transport,
      ...createLinkedOverview(),
      listHistory: unanswered,
      listHistoryNames: unanswered,
      listAgents: unanswered,
      listSessions: unanswered,
      listGrants: unanswered,
      listDevices: unanswered,
      listProgramTokens: unanswered,
      listAgentTokens: unanswered,
      getFolderTrust: unanswered,
      getNotifications: unanswered,
    };
    const clock = createHandClock();
    render(
      <HoldpointProvider transport={transport} drafts={createMemoryDrafts()} uiClock={clock}>
        <ColumnPage inboxToggle={null} />
      </HoldpointProvider>,
    );
    const announced = () => document.querySelector("[data-hp-announcer]")?.textContent;
    act(() => clock.pass(200));
    expect(screen.queryByText("Loading…")).toBeNull();
    expect(announced()).toBe("");
    act(() => clock.pass(100));
    expect(screen.getAllByText("Loading…").map(({ tagName }) => tagName)).toContain("P");
    expect(announced()).toBe("Loading…");
    await act(async () => told.reject(new Error("The line broke.")));
    // A list that was loaded again once the overview had connected waits for a pause.
    await act(async () => clock.pass(200));
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(screen.queryByText("Loading…")).toBeNull();
  },
);
