// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import type { Interaction, Session } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { createDeviceStorage } from "../device/device-storage.ts";
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
const asked: Interaction = {
  interactionId: "int_1",
  sessionId: "ses_1",
  turnId: "trn_1",
  toolCallId: "call_1",
  toolName: "Bash",
  kind: "approval",
  status: "pending",
  attempt: 1,
  presentation: "tool",
  startedAt: AT,
  onTimeout: "wait",
  hold: "held",
  approval: {
    input: { command: "npm run build" },
    cwd: "/work",
    display: {},
    digest: "digest",
    scopes: ["once"],
    scopeText: {},
    editable: false,
  },
};

async function show() {
  const calls = {
    onNew: vi.fn<() => void>(),
    onHelp: vi.fn<() => void>(),
    onWaiting: vi.fn<(sessionId: string) => void>(),
    onClose: vi.fn<() => void>(),
  };
  const transport: Transport = {
    ...createLinkedGateway().transport,
    ...createLinkedOverview({ sessions, pending: [asked] }),
  };
  render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
      <SessionPalette
        storage={createDeviceStorage(() => localStorage, window)}
        rows={{ waiting: [asked] }}
        {...calls}
      />
    </HoldpointProvider>,
  );
  await screen.findByRole("option", { name: /npm run build/ });
  const field = screen.getByRole("combobox");
  return {
    ...calls,
    type: (value: string) => fireEvent.change(field, { target: { value } }),
    press: (key: string) => act(() => void fireEvent.keyDown(field, { key })),
    /** What a screen reader is told that is chosen. */
    chosen: () => {
      const id = field.getAttribute("aria-activedescendant") ?? "";
      const option = document.getElementById(id);
      expect(option?.getAttribute("aria-selected") ?? "true").toBe("true");
      return option?.textContent;
    },
  };
}

test("what waits stands first, and Enter goes there", async () => {
  const { chosen, press, onWaiting, onClose } = await show();
  expect(chosen()).toContain("npm run build");
  press("Enter");
  expect(onWaiting.mock.calls).toEqual([["ses_1"]]);
  expect(onClose).toHaveBeenCalledOnce();
});

test("words find a session, and arrows choose, round the end as well", async () => {
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

test("actions are there too, and nothing found is said", async () => {
  const { press, type, onNew, chosen } = await show();
  type("new sess");
  press("Enter");
  expect(onNew).toHaveBeenCalledOnce();
  type("nowhere");
  expect(screen.getByText("Nothing has these words.")).toBeTruthy();
  expect(chosen()).toBeUndefined();
  press("ArrowDown");
  press("Enter");
});
