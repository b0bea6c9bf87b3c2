// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import { ProtocolError, type Session } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";

import { EntryActions } from "./entry-actions.tsx";

afterEach(cleanup);

const session: Session = {
  sessionId: "session-1",
  agent: "demo",
  cwd: "/work",
  title: "Dates",
  permissionMode: "default",
  status: "idle",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  lastSeq: 0,
};

async function archive(status: Session["status"], updateSession: Transport["updateSession"]) {
  const onAsk = vi.fn<(act: "archive" | "delete" | "give") => void>();
  const { followOverview } = createLinkedOverview();
  const transport = { ...createLinkedGateway().transport, followOverview, updateSession };
  render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
      <nav>
        <EntryActions session={{ ...session, status }} onRename={() => undefined} onAsk={onAsk} />
      </nav>
    </HoldpointProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Actions for Dates" }));
  // Its code is loaded now.
  fireEvent.click(await screen.findByRole("menuitem", { name: "Archive" }));
  return onAsk;
}

const update = (answer: () => Promise<Session>) => vi.fn<Transport["updateSession"]>(answer);

describe("archiving a session from the list", () => {
  test("asks for no confirmation if it is idle", async () => {
    const told = update(async () => session);
    const onAsk = await archive("idle", told);
    await waitFor(() => expect(told.mock.calls).toEqual([["session-1", { archived: true }]]));
    expect(onAsk).not.toHaveBeenCalled();
  });

  test("reports a refusal by the gateway, for example if the session has begun to work", async () => {
    const refused = () => Promise.reject(new ProtocolError("TURN_RUNNING", "It works."));
    const onAsk = await archive("idle", update(refused));
    await waitFor(() => expect(onAsk.mock.calls).toEqual([["archive"]]));
  });

  test("is not tried while it works", async () => {
    const told = update(async () => session);
    const onAsk = await archive("running", told);
    await waitFor(() => expect(onAsk.mock.calls).toEqual([["archive"]]));
    expect(told).not.toHaveBeenCalled();
  });
});
