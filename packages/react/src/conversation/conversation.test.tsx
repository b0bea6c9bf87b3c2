// @vitest-environment happy-dom
import { ClientError, type Transport } from "@holdpoint/client";
import { toTerminalResult, type RespondBody } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { anApproval, anInteraction } from "../testing/interactions.ts";
import type { ConversationHandle } from "./conversation.tsx";
import {
  renderConversation,
  stubLayout,
  toLog,
  type Bodies,
} from "./testing/render-conversation.tsx";

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const call = (toolCallId: string, command: string): Bodies => ({
  type: "tool_call",
  turnId: "turn-1",
  toolCallId,
  toolName: "Bash",
  input: { command },
});
const started: Bodies = { type: "turn_started", turnId: "turn-1" };
const approval = (interactionId: string, toolCallId: string): Bodies => ({
  type: "interaction_request",
  turnId: "turn-1",
  interaction: anInteraction({
    interactionId,
    sessionId: "session",
    toolCallId,
    approval: anApproval(),
  }),
});

describe("a conversation", () => {
  test("shows requests of an agent that was started elsewhere, and takes no message and no stop", async () => {
    const log = toLog(started, call("c1", "npm test"), approval("i1", "c1"));
    await renderConversation({ log, props: { takesMessages: false } });
    await screen.findByRole("button", { name: /Allow once/ });
    expect(screen.queryByRole("textbox", { name: /Message/ })).toBeNull();
    expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
    expect(
      screen.getByText("This agent runs elsewhere: answer requests here, send messages there."),
    ).toBeDefined();
  });

  test("shows messages and tool calls", async () => {
    await renderConversation({
      log: toLog(
        {
          type: "user_message",
          messageId: "m1",
          content: "Run the tests",
          origin: "person",
          turnId: "turn-1",
        },
        started,
        call("c1", "npm test"),
        {
          type: "tool_result",
          turnId: "turn-1",
          toolCallId: "c1",
          content: "1 passed",
          isError: false,
        },
        {
          type: "assistant_message",
          turnId: "turn-1",
          messageId: "a1",
          text: "All green.",
          channel: "text",
        },
        { type: "turn_ended", turnId: "turn-1", reason: "done" },
      ),
    });
    const log = screen.getByRole("log", { name: "Conversation" });
    expect(log.textContent).toContain("You: Run the tests");
    expect(log.textContent).toContain("Rannpm test1.0 sdone");
    expect(log.textContent).toContain("All green.");
  });

  test("opens a tool call to its command and result, and shows a failure", async () => {
    await renderConversation({
      log: toLog(started, call("c1", "npm test"), {
        type: "tool_result",
        turnId: "turn-1",
        toolCallId: "c1",
        content: "exit 1: boom",
        isError: true,
      }),
    });
    const line = screen.getByRole("button", { name: /npm test/ });
    expect(line.textContent).toContain("failed");
    expect(screen.queryByText(/boom/)).toBeNull();
    fireEvent.click(line);
    expect(await screen.findByText(/boom/)).toBeTruthy();
  });

  test("explains in a sentence that a terminal has the answer to a call", async () => {
    const content = JSON.stringify(toTerminalResult("allow"));
    await renderConversation({
      log: toLog(started, call("c1", "npm test"), {
        type: "tool_result",
        turnId: "turn-1",
        toolCallId: "c1",
        content,
        isError: false,
      }),
    });
    fireEvent.click(screen.getByRole("button", { name: /npm test/ }));
    expect(await screen.findByText(/^The terminal has the answer\./)).toBeTruthy();
    expect(screen.queryByText(content)).toBeNull();
  });

  test("[R-5] shows neither of two calls as running before it was allowed, when they are asked about in turn", async () => {
    const { gateway } = await renderConversation({ log: toLog(started) });
    const growing = { type: "tool_call_delta", turnId: "turn-1", toolCallId: "c1" } as const;
    await act(async () =>
      gateway.show({ ...growing, toolName: "Bash", offset: 0, text: '{"command":' }),
    );
    const log = screen.getByRole("log", { name: "Conversation" });
    expect(log.textContent).toContain("Wants to run");
    const events = toLog(
      started,
      call("c1", "touch a.txt"),
      call("c2", "touch b.txt"),
      approval("i1", "c1"),
    );
    for (const event of events.slice(1)) await act(async () => gateway.append(event));
    await screen.findByRole("button", { name: /Allow once/ });
    expect(screen.getByRole("button", { name: /touch b.txt/ }).textContent).toContain(
      "Wants to run",
    );
    expect(log.textContent).not.toContain("Running");
  });

  test("[R-5] does not show a call as running in the moment before its agent may ask about it", async () => {
    const { gateway } = await renderConversation({ log: toLog(started) });
    const [, called] = toLog(started, call("c1", "touch a.txt"));
    const now = new Date().toISOString();
    await act(async () => gateway.append({ ...called!, at: now }));
    const log = screen.getByRole("log", { name: "Conversation" });
    expect(log.textContent).toContain("Wants to run");
    expect(log.textContent).not.toContain("Running");
    await waitFor(() => expect(log.textContent).toContain("Running"));
  });

  test("does not show a call that was cut off as running", async () => {
    await renderConversation({
      log: toLog(started, call("c1", "sleep 99"), {
        type: "turn_ended",
        turnId: "turn-1",
        reason: "stopped",
      }),
    });
    const line = screen.getByRole("button", { name: /sleep 99/ }).textContent;
    expect(line).toContain("not finished");
    expect(line).not.toContain("Ran");
    expect(await screen.findByText(/^Stopped/)).toBeTruthy();
  });

  test("explains an error in plain words, with the way out", async () => {
    await renderConversation({
      log: toLog({
        type: "error",
        code: "AGENT_UNAUTHENTICATED",
        message: "401 invalid x-api-key",
      }),
    });
    expect(await screen.findByText("The agent is not signed in")).toBeTruthy();
    expect(screen.getByText(/start the gateway with a valid API key/)).toBeTruthy();
    expect(screen.getByText("401 invalid x-api-key")).toBeTruthy();
  });

  test("shows an error that repeats its title only once", async () => {
    const message = "The gateway was restarted while the agent worked.";
    await renderConversation({ log: toLog({ type: "error", code: "GATEWAY_RESTARTED", message }) });
    expect(await screen.findByText(message.slice(0, -1))).toBeTruthy();
    expect(screen.queryByText(message)).toBeNull();
  });

  test("marks the hidden characters of text from outside", async () => {
    await renderConversation({ log: toLog(started, call("c1", "rm\u202Efdp.txt")) });
    const line = screen.getByRole("button", { name: /rm/ });
    expect(line.textContent).not.toContain("\u202E");
  });

  test("grows with the stream, in the row where the text will stay", async () => {
    const { gateway } = await renderConversation({ log: toLog(started) });
    const show = (offset: number, text: string): void =>
      gateway.show({
        type: "text_delta",
        turnId: "turn-1",
        messageId: "a1",
        channel: "text",
        offset,
        text,
      });
    await act(async () => show(0, "Half a "));
    const row = screen.getByText(/Half a/).closest(".hp-row");
    await act(async () => show(7, "thought"));
    expect(row?.textContent).toContain("Half a thought");
    const [message] = toLog({
      type: "assistant_message",
      turnId: "turn-1",
      messageId: "a1",
      text: "Half a thought.",
      channel: "text",
    });
    await act(async () => gateway.append({ ...message!, seq: 2 }));
    expect(row?.isConnected).toBe(true);
    expect(row?.textContent).toContain("Half a thought.");
  });

  test("gives no focus to a card that arrives", async () => {
    const { gateway, input } = await renderConversation({
      log: toLog(started, call("c1", "npm test")),
    });
    input().focus();
    const [, , asked] = toLog(started, started, approval("i1", "c1"));
    await act(async () => gateway.append(asked!));
    expect(screen.getByRole("button", { name: /Allow once/ })).toBeTruthy();
    expect(document.activeElement).toBe(input());
  });

  test("answers a card through the gateway, under an idempotency key", async () => {
    const bodies: RespondBody[] = [];
    const respond: Transport["respond"] = async (interactionId, body) => {
      bodies.push(body);
      return {
        status: "accepted",
        interaction: anInteraction({ interactionId, status: "answered" }),
      };
    };
    await renderConversation({
      log: toLog(started, call("c1", "npm test"), approval("i1", "c1")),
      transport: { respond },
    });
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Deny" })));
    expect(bodies).toMatchObject([{ action: "deny", idempotencyKey: expect.any(String) }]);
  });

  test("moves from one open card to the next and wraps at the end", async () => {
    const ref = createRef<ConversationHandle>();
    await renderConversation({
      log: toLog(
        started,
        call("c1", "one"),
        call("c2", "two"),
        approval("i1", "c1"),
        approval("i2", "c2"),
      ),
      props: { ref },
    });
    const focused = (): string | null | undefined =>
      document.activeElement?.getAttribute("data-interaction-id");
    for (const expected of ["i1", "i2", "i1"]) {
      await act(async () => void ref.current?.focusWaiting(1));
      await waitFor(() => expect(focused()).toBe(expected));
    }
    await act(async () => void ref.current?.focusWaiting(-1));
    await waitFor(() => expect(focused()).toBe("i2"));
  });

  test("draws little, however long the session is", async () => {
    const { container } = await renderConversation({
      log: toLog(
        ...Array.from({ length: 5000 }, (_, index): Bodies => ({
          type: "user_message",
          messageId: `m${index}`,
          content: `Message ${index}`,
          origin: "person",
        })),
      ),
    });
    expect(container.querySelectorAll(".hp-row").length).toBeLessThan(40);
  });

  test("requests earlier messages once after a failure, and again when the person asks", async () => {
    let calls = 0;
    const log = toLog(
      ...Array.from({ length: 400 }, (_, index): Bodies => ({
        type: "user_message",
        messageId: `m${index}`,
        content: `Message ${index}`,
        origin: "person",
      })),
    );
    const readEvents: Transport["readEvents"] = async (_sessionId, { before } = {}) => {
      if (before === undefined) return { items: log.slice(-3), epoch: "epoch-1" };
      calls += 1;
      throw new ClientError("CONNECTION_CLOSED", "gone");
    };
    await renderConversation({ log, transport: { readEvents } });
    const again = await screen.findByRole("button", { name: /could not be loaded/ });
    expect(calls).toBe(1);
    await act(async () => void fireEvent.click(again));
    expect(calls).toBe(2);
  });

  test("offers the agent's prompts in an empty session, and sends the picked one", async () => {
    const sendMessage = vi.fn<Transport["sendMessage"]>(() => new Promise(() => undefined));
    await renderConversation({
      transport: { sendMessage },
      props: { suggestedPrompts: ["Ask me two questions"] },
    });
    fireEvent.click(screen.getByRole("button", { name: "Ask me two questions" }));
    expect(sendMessage.mock.calls[0]?.[1]).toMatchObject({ content: "Ask me two questions" });
  });

  test("reports a session that was deleted elsewhere", async () => {
    const { gateway } = await renderConversation();
    await act(async () => gateway.show({ type: "closing", reason: "session_deleted" }));
    expect((await screen.findByRole("alert")).textContent).toContain("This session doesn't exist");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });
});

describe("a request that has lost its agent", () => {
  const asked = approval("i-lost", "call-1");

  test("is dismissed over the transport", async () => {
    const dismissInteraction = vi.fn<Transport["dismissInteraction"]>(
      () => new Promise(() => undefined),
    );
    const orphaned: Bodies = {
      type: "interaction_closed",
      interactionId: "i-lost",
      status: "orphaned",
      reason: "The agent is gone.",
    };
    const log = toLog(started, call("call-1", "ls"), asked, orphaned);
    await renderConversation({ log, transport: { dismissInteraction } });
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(dismissInteraction).toHaveBeenCalledExactlyOnceWith("i-lost");
  });

  test("is checked by the agent after one message, from any page", async () => {
    const sendMessage = vi.fn<Transport["sendMessage"]>(() => new Promise(() => undefined));
    const by = {
      clientId: "other",
      client: "a browser",
      person: "Ada",
      at: "2026-01-01T00:00:00.000Z",
    };
    const log = toLog(
      started,
      call("call-1", "ls"),
      asked,
      { type: "interaction_response", interactionId: "i-lost", action: "approve", by },
      { type: "interaction_delivered", interactionId: "i-lost", how: "unknown" },
    );
    await renderConversation({ log, transport: { sendMessage } });
    fireEvent.click(await screen.findByRole("button", { name: "Ask the agent to check" }));
    await vi.waitFor(() => expect(sendMessage).toHaveBeenCalled());
    expect(sendMessage).toHaveBeenCalledExactlyOnceWith("session", {
      content: expect.stringContaining("without running it again"),
      idempotencyKey: "check:i-lost",
      queue: true,
    });
  });
});
