// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway } from "@holdpoint/client/testing";
import { type AgentInfo, ProtocolError, type Session } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";

import { SessionHeader } from "./session-header.tsx";

afterEach(cleanup);

const agent: AgentInfo = {
  agent: "demo",
  label: "Demo",
  available: true,
  scripted: true,
  permissionModes: [
    { mode: "default", label: "Ask" },
    { mode: "plan", label: "Plan" },
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
  const element = (permissionMode: string) => (
    <HoldpointProvider transport={transport} drafts={drafts}>
      <SessionHeader
        session={session}
        agent={agent}
        awaited={false}
        permissionMode={permissionMode}
        inboxToggle={null}
      />
    </HoldpointProvider>
  );
  const { rerender } = render(element("default"));
  return { tell: (permissionMode: string) => rerender(element(permissionMode)) };
}

const mode = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Permission mode" });
const choose = (value: string) => fireEvent.change(mode(), { target: { value } });

describe("[R-6] the permission mode", () => {
  test("that is chosen is what the gateway is told", async () => {
    const told: unknown[] = [];
    show(async (...change) => {
      told.push(change);
      return { ...session, permissionMode: "plan" };
    });
    choose("plan");
    expect(told).toEqual([["session-1", { permissionMode: "plan" }]]);
    expect(mode().value).toBe("plan");
  });

  test("that the gateway refuses is not shown as chosen, and that is said", async () => {
    show(() => Promise.reject(new ProtocolError("INVALID_REQUEST", "There is no such mode.")));
    choose("plan");
    expect((await screen.findByRole("alert")).textContent).toContain("Not changed");
    expect(mode().value).toBe("default");
  });

  test("that was changed elsewhere is shown", () => {
    const { tell } = show(async () => session);
    tell("plan");
    expect(mode().value).toBe("plan");
  });
});
