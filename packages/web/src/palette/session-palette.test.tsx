// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import type { Session } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { ENGLISH } from "@holdpoint/react/words";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { createDeviceStorage } from "../device/device-storage.ts";
import { askedInteraction } from "../testing/asked-interaction.ts";
import { PageLanguageProvider } from "../words/page-language-provider.tsx";
import { loadPageLanguage } from "../words/page-language.ts";
import { SessionPalette } from "./session-palette.tsx";

afterEach(cleanup);

const AT = "2026-01-01T00:00:00.000Z";
const sessions = ["Billing", "Due dates"].map((title, index): Session => ({
  sessionId: `ses_${index}`,
  agent: "demo",
  cwd: "/work/shop",
  title,
  permissionMode: "default",
  status: "idle",
  createdAt: AT,
  updatedAt: AT,
  lastSeq: 0,
}));
const asked = askedInteraction("int_1", AT);

async function show(language = ENGLISH) {
  const calls = {
    onNew: vi.fn<() => void>(),
    onHelp: vi.fn<() => void>(),
    onWaiting: vi.fn<(sessionId: string) => void>(),
    onClose: vi.fn<() => void>(),
  };
  const away = { ...sessions[0]!, sessionId: "ses_away", title: "Old bills", archivedAt: AT };
  const searched: unknown[] = [];
  const transport: Transport = {
    ...createLinkedGateway().transport,
    ...createLinkedOverview({ sessions: [...sessions, away], pending: [asked] }),
    listSessions: async (query = {}) => {
      searched.push(query);
      return { items: query.words === "old" ? [away] : [] };
    },
  };
  const storage = createDeviceStorage(() => localStorage, window);
  render(
    <PageLanguageProvider storage={storage} initial={language}>
      <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
        <SessionPalette storage={storage} rows={{ waiting: [asked] }} {...calls} />
      </HoldpointProvider>
    </PageLanguageProvider>,
  );
  await screen.findByRole("option", { name: /npm run build/ });
  const field = screen.getByRole("combobox");
  return {
    ...calls,
    searched,
    type: (value: string) => fireEvent.change(field, { target: { value } }),
    press: (key: string) => act(() => void fireEvent.keyDown(field, { key })),
    /** The chosen option as a screen reader announces it. */
    chosen: () => {
      const id = field.getAttribute("aria-activedescendant") ?? "";
      const option = document.getElementById(id);
      expect([...document.querySelectorAll("[data-highlighted]")]).toEqual(
        option === null ? [] : [option],
      );
      return option?.textContent;
    },
  };
}

test("open requests come first, and Enter opens one", async () => {
  const { chosen, press, onWaiting, onClose } = await show();
  expect(chosen()).toContain("npm run build");
  press("Enter");
  expect(onWaiting.mock.calls).toEqual([["ses_1"]]);
  expect(onClose).toHaveBeenCalledOnce();
});

test("words find a session, and arrows choose, wrapping at the end", async () => {
  const { chosen, press, type } = await show();
  type("shop");
  expect(screen.getAllByRole("option")).toHaveLength(2);
  expect(chosen()).toContain("Billing");
  press("ArrowDown");
  expect(chosen()).toContain("Due dates");
  press("ArrowDown");
  expect(chosen()).toContain("Billing");
  press("ArrowUp");
  press("Enter");
  expect(location.pathname).toBe("/s/ses_1");
});

test("actions are listed too, and an empty result is shown", async () => {
  const { press, type, onNew, chosen } = await show();
  type("new sess");
  press("Enter");
  expect(onNew).toHaveBeenCalledOnce();
  type("nowhere");
  expect(screen.getByText("No results")).toBeTruthy();
  expect(chosen()).toBeUndefined();
  press("ArrowDown");
  press("Enter");
});

test("actions are named and found in the language of the page", async () => {
  const { chosen, type } = await show(await loadPageLanguage("de"));
  expect(chosen()).toContain("npm run build");
  type("dunkles");
  expect(chosen()).toBe("Dunkles Design");
});

test("an archived session is found only by words, by the gateway", async () => {
  const { press, type, chosen, searched } = await show();
  expect(screen.queryByText("Old bills")).toBeNull();
  type("old");
  await screen.findByRole("option", { name: /Old bills/ });
  expect(screen.getByText("Archived")).toBeTruthy();
  expect(chosen()).toContain("Old bills");
  expect(searched.at(-1)).toEqual({ archived: "only", words: "old", limit: 20 });
  press("Enter");
  expect(location.pathname).toBe("/s/ses_away");
});

test("each language is an action, named as its speakers name it", async () => {
  const { press, type, chosen } = await show();
  type("deutsch");
  expect(chosen()).toBe("Language: Deutsch");
  press("Enter");
  await vi.waitFor(() => expect(document.documentElement.lang).toBe("de"));
  expect(localStorage.getItem("holdpoint.language")).toBe("de");
  localStorage.clear();
});
