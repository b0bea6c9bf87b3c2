// @vitest-environment happy-dom
import { ClientError, createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createLinkedGateway } from "@holdpoint/client/testing";
import { type AgentInfo, ProtocolError, type Session } from "@holdpoint/protocol";
import { HoldpointProvider } from "@holdpoint/react";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";

import { StartComposer } from "./start-composer.tsx";

afterEach(cleanup);

const claude: AgentInfo = {
  agent: "claude",
  label: "Claude",
  available: true,
  scripted: false,
  permissionModes: [
    { mode: "default", label: "Ask" },
    { mode: "all", label: "Allow everything", endsInto: "default" },
  ],
  defaultPermissionMode: "default",
  defaultCwd: "/work",
  suggestedPrompts: ["Look around"],
};
const demo: AgentInfo = { ...claude, agent: "demo", label: "Demo", suggestedPrompts: ["Tour"] };
const session = {
  sessionId: "session-1",
  cwd: "/work/last",
  createdAt: "2026-01-02T00:00:00.000Z",
} as Session;
const sent = { turnId: "turn-1", messageId: "message-1", queued: false };

function show(transport: Partial<Transport>, lastAgent?: string) {
  const onStarted = vi.fn<(session: Session) => void>();
  const drafts = createMemoryDrafts();
  const all = { ...createLinkedGateway().transport, ...transport };
  render(
    <HoldpointProvider transport={all} drafts={drafts}>
      <StartComposer
        agents={[claude, demo]}
        lastAgent={lastAgent}
        sessions={[session]}
        onStarted={onStarted}
      />
    </HoldpointProvider>,
  );
  return { onStarted, drafts };
}

const message = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "First message" });
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByRole("combobox", { name }), { target: { value } });
const type = (text: string) => fireEvent.change(message(), { target: { value: text } });
const enter = () => fireEvent.keyDown(message(), { key: "Enter" });

const create = () => vi.fn<Transport["createSession"]>(async () => session);
const send = () => vi.fn<Transport["sendMessage"]>(async () => sent);

describe("the composer of the first message", () => {
  test("starts with Enter, in the last used folder, and leaves nothing behind", async () => {
    const [createSession, sendMessage] = [create(), send()];
    const { onStarted, drafts } = show({ createSession, sendMessage });
    type("Fix the tests");
    expect(drafts.read("message:home")).toBe("Fix the tests");
    enter();
    enter();
    await waitFor(() => expect(onStarted).toHaveBeenCalledExactlyOnceWith(session));
    expect(createSession.mock.calls).toEqual([[{ agent: "claude", cwd: "/work/last" }]]);
    const [sessionId, body] = sendMessage.mock.calls[0]!;
    expect([sessionId, body.content]).toEqual(["session-1", "Fix the tests"]);
    expect(drafts.read("message:home")).toBeUndefined();
  });

  test("accepts another agent, mode and folder, and asks before everything is allowed", async () => {
    const createSession = create();
    show({ createSession, sendMessage: send() }, "demo");
    choose("Agent", "claude");
    choose("Permission mode", "all");
    fireEvent.click(await screen.findByRole("button", { name: "Allow for 1 hour" }));
    choose("Folder", "other-folder");
    const folder = screen.getByRole("textbox", { name: "Folder" });
    fireEvent.change(folder, { target: { value: " /srv/app " } });
    type("Go");
    enter();
    await waitFor(() => expect(createSession).toHaveBeenCalledOnce());
    expect(createSession.mock.calls[0]?.[0]).toEqual({
      agent: "claude",
      cwd: "/srv/app",
      permissionMode: "all",
      permissionModeMinutes: 60,
    });
  });

  test("uses the last used agent, whose suggestions start a session as well", async () => {
    const [createSession, sendMessage] = [create(), send()];
    const { drafts } = show({ createSession, sendMessage }, "demo");
    type("Something else");
    fireEvent.click(screen.getByRole("button", { name: "Tour" }));
    await waitFor(() => expect(sendMessage).toHaveBeenCalledOnce());
    expect(createSession.mock.calls[0]?.[0]).toMatchObject({ agent: "demo" });
    expect(drafts.read("message:home")).toBe("Something else");
  });

  test("shows what is wrong with the folder, and keeps the typed text", async () => {
    const refused = new ProtocolError("INVALID_REQUEST", "No.", {
      fieldErrors: { cwd: "There is no such folder." },
    });
    show({ createSession: () => Promise.reject(refused) });
    type("Fix the tests");
    enter();
    expect((await screen.findByRole("alert")).textContent).toContain("There is no such folder.");
    expect(message().value).toBe("Fix the tests");
    expect(screen.getByRole("combobox", { name: "Folder" }).getAttribute("aria-invalid")).toBe(
      "true",
    );
  });

  test("creates one session and one message, however often sending fails", async () => {
    const createSession = create();
    let failures = 2;
    const sendMessage = vi.fn<Transport["sendMessage"]>(async () => {
      failures -= 1;
      if (failures >= 0) throw new ClientError("CONNECTION_CLOSED", "Gone.");
      return sent;
    });
    const { onStarted } = show({ createSession, sendMessage });
    type("Fix the tests");
    for (const count of [1, 2, 3]) {
      enter();
      await waitFor(() => expect(sendMessage).toHaveBeenCalledTimes(count));
      await waitFor(() => expect(message().readOnly).toBe(false));
    }
    expect(onStarted).toHaveBeenCalledOnce();
    expect(createSession).toHaveBeenCalledOnce();
    const keys = sendMessage.mock.calls.map(([, { idempotencyKey }]) => idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });
});
