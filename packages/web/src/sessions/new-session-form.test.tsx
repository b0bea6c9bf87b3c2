// @vitest-environment happy-dom
import { createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway } from "@holdpoint/client/testing";
import type { AgentInfo, Session } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";

import { NewSessionForm } from "./new-session-form.tsx";

afterEach(cleanup);

const claude: AgentInfo = {
  agent: "claude",
  label: "Claude",
  available: true,
  scripted: false,
  permissionModes: [{ mode: "default", label: "Ask" }],
  defaultPermissionMode: "default",
  defaultCwd: "/srv/orders",
  suggestedPrompts: [],
};

function show() {
  const createSession = vi.fn<Transport["createSession"]>(async () => ({}) as Session);
  const transport = { ...createLinkedGateway().transport, createSession };
  render(
    <HoldpointProvider transport={transport} drafts={createMemoryDrafts()}>
      <NewSessionForm agents={[claude]} onClose={() => undefined} onCreated={() => undefined} />
    </HoldpointProvider>,
  );
  return createSession;
}

const directory = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Directory" });
const type = (value: string) => fireEvent.change(directory(), { target: { value } });

describe("the directory of a new session", () => {
  test.for([
    { typed: "/srv/orders", sent: {} },
    { typed: "  ", sent: {} },
    { typed: " /srv/orders ", sent: {} },
    { typed: " /srv/app ", sent: { cwd: "/srv/app" } },
  ])("is filled in, and sent only if it differs: $typed", async ({ typed, sent }) => {
    const createSession = show();
    expect(directory().value).toBe("/srv/orders");
    type(typed);
    expect(directory().value).toBe(typed);
    fireEvent.click(screen.getByRole("button", { name: "Start session" }));
    await waitFor(() => expect(createSession).toHaveBeenCalledOnce());
    expect(createSession.mock.calls[0]?.[0]).toEqual({ agent: "claude", ...sent });
  });
});
