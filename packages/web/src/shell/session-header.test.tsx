// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway } from "@holdpoint/client/testing";
import { type AgentInfo, ProtocolError, type Session } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";

import { PAGES } from "./pages-seam.ts";
import { SessionHeader } from "./session-header.tsx";

beforeAll(() => PAGES.load());
afterEach(cleanup);

const agent: AgentInfo = {
  agent: "demo",
  label: "Demo",
  available: true,
  scripted: true,
  permissionModes: [
    { mode: "default", label: "Ask" },
    { mode: "plan", label: "Plan" },
    { mode: "all", label: "Allow everything", endsInto: "default" },
  ],
  defaultPermissionMode: "default",
  suggestedPrompts: [],
};
const session: Session = {
  sessionId: "session-1",
  agent: "demo",
  cwd: "/work",
  title: "Dates",
  permissionMode: "default",
  status: "running",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  lastSeq: 0,
};

function show(updateSession: Transport["updateSession"]) {
  const drafts = createMemoryDrafts();
  const transport = { ...createLinkedGateway().transport, updateSession };
  const element = (permissionMode: string, endsAt?: string) => (
    <HoldpointProvider transport={transport} drafts={drafts}>
      <SessionHeader
        session={session}
        agent={agent}
        awaited={false}
        permissionMode={permissionMode}
        limitedMode={endsAt === undefined ? undefined : { mode: "all", into: "default", endsAt }}
        inboxToggle={null}
      />
    </HoldpointProvider>
  );
  const { rerender } = render(element("default"));
  return {
    tell: (permissionMode: string, endsAt?: string) => rerender(element(permissionMode, endsAt)),
  };
}

const mode = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Permission mode" });
const choose = (value: string) => fireEvent.change(mode(), { target: { value } });

describe("[R-6] the permission mode", () => {
  test("is sent to the gateway when a person chooses it", async () => {
    const told: unknown[] = [];
    show(async (...change) => {
      told.push(change);
      return { ...session, permissionMode: "plan" };
    });
    choose("plan");
    expect(told).toEqual([["session-1", { permissionMode: "plan" }]]);
    expect(mode().value).toBe("plan");
  });

  test("is not shown as chosen forever if it ended before this page learned of it", async () => {
    const done = Promise.withResolvers<Session>();
    show(() => done.promise);
    choose("plan");
    expect(mode().value).toBe("plan");
    // Another device has changed it back: this page gets only the last mode, which it already had.
    await act(async () => done.resolve({ ...session, permissionMode: "plan" }));
    expect([mode().value, mode().getAttribute("aria-busy")]).toEqual(["default", "false"]);
  });

  test("is not shown as chosen if the gateway refuses it, and the refusal is shown", async () => {
    show(() => Promise.reject(new ProtocolError("INVALID_REQUEST", "There is no such mode.")));
    choose("plan");
    expect((await screen.findByRole("alert")).textContent).toContain("Not changed");
    expect(mode().value).toBe("default");
  });

  test("is chosen with a time limit if it allows everything, in a dialog that can be closed", async () => {
    const told: unknown[] = [];
    show(async (...change) => {
      told.push(change);
      return session;
    });
    choose("all");
    fireEvent.click(await screen.findByRole("button", { name: "Keep asking" }));
    expect([told, mode().value]).toEqual([[], "default"]);
    choose("all");
    fireEvent.click(await screen.findByRole("radio", { name: "15 minutes" }));
    fireEvent.click(screen.getByRole("button", { name: "Allow for 15 minutes" }));
    const body = { permissionMode: "all", permissionModeMinutes: 15 };
    expect(told).toEqual([["session-1", body]]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("stands out if it allows everything", async () => {
    const { tell } = show(async () => session);
    const isMarked = () => mode().closest("[data-limited]") !== null;
    tell("all", "2099-01-01T00:00:00.000Z");
    expect([mode().value, isMarked()]).toEqual(["all", true]);
    tell("plan", "2099-01-01T00:00:00.000Z");
    expect([mode().value, isMarked()]).toEqual(["plan", false]);
  });

  test("is shown when it was changed elsewhere", async () => {
    const { tell } = show(async () => session);
    tell("plan");
    expect(mode().value).toBe("plan");
  });
});
