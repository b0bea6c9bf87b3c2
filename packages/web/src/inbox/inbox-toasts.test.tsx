// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway, createLinkedOverview } from "@holdpoint/client/testing";
import { ProtocolError, type Interaction } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { askedInteraction } from "../testing/asked-interaction.ts";
import { InboxToasts } from "./inbox-toasts.tsx";

afterEach(cleanup);

const AT = new Date().toISOString();
const UNTIL = new Date(Date.parse(AT) + 60_000).toISOString();

function allowed(interactionId: string): Interaction {
  return {
    ...askedInteraction(interactionId, AT),
    status: "answered",
    response: { action: "approve" },
    by: { at: AT, person: "owner", client: "Chrome" },
    undoUntil: UNTIL,
  };
}

/** Answers that were given at one press, and those whose agents have them already. */
function show(ids: readonly string[], lateIds: readonly string[]) {
  const onUndone = vi.fn<(interactionId: string | undefined) => void>();
  const transport: Transport = {
    ...createLinkedGateway().transport,
    ...createLinkedOverview({}),
    undoResponse: async (interactionId) => {
      if (lateIds.includes(interactionId)) throw new ProtocolError("ALREADY_ANSWERED", "Taken.");
      return allowed(interactionId);
    },
  };
  render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
      <InboxToasts answered={ids.map(allowed)} onUndone={onUndone} />
    </HoldpointProvider>,
  );
  return { onUndone, undo: async () => fireEvent.click(await screen.findByText("Undo")) };
}

test("the result of several answers shows which were undone and which were too late", async () => {
  const { onUndone, undo } = show(["one", "two", "three"], ["one"]);
  await undo();
  await screen.findByText("2 answers undone. 1 too late to undo: its agent has the answer.");
  expect(screen.queryByText("Undo")).toBeNull();
  expect(onUndone.mock.calls).toEqual([["two"]]);
});

test("only the lateness is shown if all were too late", async () => {
  const { onUndone, undo } = show(["one", "two"], ["one", "two"]);
  await undo();
  await screen.findByText("Too late to undo: the agent has the answer.");
  expect(onUndone).not.toHaveBeenCalled();
});

test("the offer disappears when all answers are undone", async () => {
  const { onUndone, undo } = show(["one", "two"], []);
  await undo();
  await vi.waitFor(() => expect(screen.queryByText("Undo")).toBeNull());
  expect(onUndone.mock.calls).toEqual([["one"]]);
});
