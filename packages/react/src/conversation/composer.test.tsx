// @vitest-environment happy-dom
import { ClientError, createMemoryDrafts, type Transport } from "@holdpoint/client";
import type { Attachment, Interaction, SendMessageBody, SentMessage } from "@holdpoint/protocol";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { anInteraction, FORMAT_QUESTION } from "../testing/interactions.ts";
import { renderConversation, stubLayout, toLog } from "./testing/render-conversation.tsx";

beforeEach(stubLayout);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type Send = Transport["sendMessage"];
const sent: SentMessage = { turnId: "turn-2", messageId: "message-2", queued: false };
const running = toLog(
  { type: "user_message", messageId: "m", content: "Begin", origin: "person", turnId: "turn-1" },
  { type: "turn_started", turnId: "turn-1" },
);

function asking(): ReturnType<typeof toLog> {
  const interaction = anInteraction({
    sessionId: "session",
    kind: "question",
    toolName: "AskUserQuestion",
    questions: [FORMAT_QUESTION],
  });
  return toLog(
    { type: "turn_started", turnId: "turn-1" },
    {
      type: "tool_call",
      turnId: "turn-1",
      toolCallId: "call-1",
      toolName: "AskUserQuestion",
      input: {},
    },
    { type: "interaction_request", turnId: "turn-1", interaction },
  );
}

function type(input: HTMLTextAreaElement, text: string): void {
  fireEvent.change(input, { target: { value: text } });
}
const enter = (input: HTMLTextAreaElement, more: object = {}): boolean =>
  fireEvent.keyDown(input, { key: "Enter", ...more });

describe("the files of a message", () => {
  const toFile = (name: string, content: string): File => new File([content], name);
  const attachmentOf = (name: string): Attachment => ({
    attachmentId: `att_${name}`,
    name,
    mediaType: "text/plain",
    bytes: 3,
  });
  const paste = (input: HTMLTextAreaElement, files: readonly File[], html = ""): void =>
    void fireEvent.paste(input, {
      clipboardData: {
        files,
        types: html === "" ? ["Files"] : ["Files", "text/html"],
        getData: () => html,
      },
    });
  const takesAttachments = { props: { takesAttachments: true } };
  const attach = (): Promise<HTMLElement> =>
    screen.findByRole("button", { name: "Attach images or files" });

  test("are uploaded at once, kept in the draft by their ids, and sent without any text", async () => {
    const uploaded = Promise.withResolvers<Attachment>();
    const uploadAttachment = vi.fn<Transport["uploadAttachment"]>(() => uploaded.promise);
    const sendMessage = vi.fn<Send>(async () => sent);
    const transport = { uploadAttachment, sendMessage };
    const { input, drafts } = await renderConversation({ transport, ...takesAttachments });
    await attach();
    paste(input(), [toFile("../notes.txt", "Tea")]);
    await screen.findByText("Uploading…");
    expect(uploadAttachment).toHaveBeenCalledExactlyOnceWith("session", {
      name: "notes.txt",
      data: "VGVh",
    });
    enter(input());
    expect(sendMessage).not.toHaveBeenCalled();
    await act(async () => uploaded.resolve(attachmentOf("notes.txt")));
    expect(drafts.read("attachments:session")).toContain("att_notes.txt");
    expect(drafts.read("attachments:session")).not.toContain("VGVh");
    await act(async () => void enter(input()));
    expect(sendMessage).toHaveBeenCalledExactlyOnceWith("session", {
      content: "",
      attachments: ["att_notes.txt"],
      queue: true,
      idempotencyKey: expect.stringMatching(/^.{8,}$/),
    });
    expect(drafts.read("attachments:session")).toBeUndefined();
    expect(screen.queryByText("notes.txt")).toBeNull();
  });

  test("are refused with the reason if they cannot be sent, before they are uploaded", async () => {
    const uploadAttachment = vi.fn<Transport["uploadAttachment"]>();
    const { input } = await renderConversation({
      transport: { uploadAttachment },
      ...takesAttachments,
    });
    await attach();
    paste(input(), [
      toFile("a.exe", "MZ\0"),
      toFile("b.txt", ""),
      toFile("c.txt", "x".repeat(300_000)),
    ]);
    expect((await screen.findAllByText(/^a\.exe: only PNG/u)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/b\.txt is empty\./u).length).toBeGreaterThan(0);
    expect(
      screen.getAllByText(/c\.txt is too long\. The limit for text is 256 kB/u).length,
    ).toBeGreaterThan(0);
    expect(uploadAttachment).not.toHaveBeenCalled();
  });

  test("are retried or removed if they were not uploaded, and the text stays", async () => {
    const uploadAttachment = vi
      .fn<Transport["uploadAttachment"]>()
      .mockRejectedValueOnce(new ClientError("CONNECTION_CLOSED", "Gone."))
      .mockResolvedValueOnce(attachmentOf("notes.txt"));
    const { input, drafts } = await renderConversation({
      transport: { uploadAttachment },
      ...takesAttachments,
    });
    await attach();
    type(input(), "Look");
    paste(input(), [toFile("notes.txt", "Tea")]);
    await screen.findByText("Waiting for the gateway…");
    screen.getByText("This is retried automatically.");
    expect(screen.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
    await act(async () => screen.getByRole("button", { name: "Try again: notes.txt" }).click());
    await waitFor(() => expect(drafts.read("attachments:session")).toContain("att_notes.txt"));
    await act(async () => screen.getByRole("button", { name: "Remove notes.txt" }).click());
    expect(drafts.read("attachments:session")).toBeUndefined();
    expect(input().value).toBe("Look");
  });

  test("are no answer to a question: the message waits, and the question stays", async () => {
    const drafts = createMemoryDrafts();
    drafts.write("attachments:session", JSON.stringify([attachmentOf("notes.txt")]));
    const { input } = await renderConversation({ log: asking(), drafts });
    type(input(), "Look");
    expect(screen.queryByRole("button", { name: "Send as answer" })).toBeNull();
    expect(screen.getByRole("button", { name: "Queue" })).toBeDefined();
  });

  test("are not offered for an agent that takes none, and text of a spreadsheet stays text", async () => {
    const uploadAttachment = vi.fn<Transport["uploadAttachment"]>();
    const { input, unmount } = await renderConversation({
      transport: { uploadAttachment },
      ...takesAttachments,
    });
    await attach();
    paste(input(), [toFile("cells.png", "Tea")], "<b>1</b>");
    unmount();
    await renderConversation();
    expect(screen.queryByRole("button", { name: "Attach images or files" })).toBeNull();
    expect(uploadAttachment).not.toHaveBeenCalled();
  });
});

describe("the composer", () => {
  test("sends with Enter, keeps the text until the gateway has it, and then clears it", async () => {
    const answer = Promise.withResolvers<SentMessage>();
    const sendMessage = vi.fn<Send>(() => answer.promise);
    const { input, drafts } = await renderConversation({ transport: { sendMessage } });
    type(input(), "Hello");
    enter(input());
    expect(sendMessage).toHaveBeenCalledExactlyOnceWith("session", {
      content: "Hello",
      queue: true,
      idempotencyKey: expect.stringMatching(/^.{8,}$/),
    });
    enter(input());
    expect(sendMessage).toHaveBeenCalledOnce();
    expect(input().value).toBe("Hello");
    await act(async () => answer.resolve(sent));
    expect(input().value).toBe("");
    expect(drafts.read("message:session")).toBeUndefined();
  });

  test.each([
    ["Shift+Enter", { shiftKey: true }],
    ["an input method's Enter", { isComposing: true }],
    ["Safari's Enter of an input method", { keyCode: 229 }],
  ])("does not send with %s", async (_name, more) => {
    const sendMessage = vi.fn<Send>(async () => sent);
    const { input } = await renderConversation({ transport: { sendMessage } });
    type(input(), "にほん");
    enter(input(), more);
    expect(sendMessage).not.toHaveBeenCalled();
  });

  test("has a row for each line, for browsers that do not size a field by its text", async () => {
    const { input } = await renderConversation({});
    expect(input().getAttribute("rows")).toBe("1");
    type(input(), "One\ntwo\nthree");
    expect(input().getAttribute("rows")).toBe("3");
  });

  test("does not send a blank text", async () => {
    const sendMessage = vi.fn<Send>(async () => sent);
    const { input } = await renderConversation({ transport: { sendMessage } });
    type(input(), "  \n ");
    enter(input());
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    expect(sendMessage).not.toHaveBeenCalled();
  });

  test("keeps the text when sending fails, shows the reason, and retries the same message under the same key", async () => {
    const bodies: SendMessageBody[] = [];
    const sendMessage: Send = async (_sessionId, body) => {
      bodies.push(body);
      if (bodies.length < 2) throw new ClientError("CONNECTION_CLOSED", "gone");
      return sent;
    };
    const { input } = await renderConversation({ transport: { sendMessage } });
    type(input(), "Hello");
    await act(async () => void enter(input()));
    expect(input().value).toBe("Hello");
    expect(screen.getByRole("alert").textContent).toContain("cannot be reached");
    await act(async () => void enter(input()));
    expect(input().value).toBe("");
    expect(bodies[1]).toEqual(bodies[0]);
  });

  test("sends another text after a failure as a new message, without the old error", async () => {
    const keys: (string | undefined)[] = [];
    const sendMessage: Send = async (_sessionId, body) => {
      keys.push(body.idempotencyKey);
      throw new ClientError("CONNECTION_CLOSED", "gone");
    };
    const { input } = await renderConversation({ transport: { sendMessage } });
    type(input(), "Hello");
    await act(async () => void enter(input()));
    type(input(), "Hello you");
    expect(screen.queryByRole("alert")).toBeNull();
    await act(async () => void enter(input()));
    expect(new Set(keys).size).toBe(2);
  });

  test("restores the text, and the key of the last try, after a reload", async () => {
    const drafts = createMemoryDrafts();
    const keys: (string | undefined)[] = [];
    const sendMessage: Send = async (_sessionId, body) => {
      keys.push(body.idempotencyKey);
      throw new ClientError("CONNECTION_CLOSED", "gone");
    };
    const before = await renderConversation({ transport: { sendMessage }, drafts });
    type(before.input(), "Half a thought");
    await act(async () => void enter(before.input()));
    before.unmount();
    const after = await renderConversation({ transport: { sendMessage }, drafts });
    expect(after.input().value).toBe("Half a thought");
    await act(async () => void enter(after.input()));
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  test("queues behind a running turn and shows it, and offers Stop", async () => {
    const sendMessage = vi.fn<Send>(async () => ({ ...sent, queued: true }));
    const { input } = await renderConversation({ log: running, transport: { sendMessage } });
    type(input(), "Also this");
    expect(screen.getByText("Your message waits until this turn ends")).toBeTruthy();
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Queue" })));
    expect(sendMessage.mock.calls[0]?.[1]).toMatchObject({ queue: true });
  });

  test("stops the turn once, and offers Stop again for the next one", async () => {
    const stopTurn = vi.fn<Transport["stopTurn"]>(async () => undefined);
    const { gateway } = await renderConversation({ log: running, transport: { stopTurn } });
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Stop" })));
    fireEvent.click(screen.getByRole("button", { name: "Stopping…" }));
    await waitFor(() => expect(stopTurn).toHaveBeenCalledExactlyOnceWith("session"));
    const [ended, next] = toLog(
      { type: "turn_ended", turnId: "turn-1", reason: "stopped" },
      { type: "turn_started", turnId: "turn-2" },
    ).map((event, index) => ({ ...event, seq: 3 + index }));
    await act(async () => gateway.append(ended!, next!));
    await waitFor(() => expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy());
  });

  test("stops the turn within a second even if the queue cannot be read", async () => {
    const stopTurn = vi.fn<Transport["stopTurn"]>(async () => undefined);
    const listQueue = vi.fn<Transport["listQueue"]>(() => new Promise(() => undefined));
    await renderConversation({ log: running, transport: { stopTurn, listQueue } });
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Stop" })));
    await waitFor(() => expect(listQueue).toHaveBeenCalled());
    await waitFor(() => expect(stopTurn).toHaveBeenCalledOnce());
  });

  test("has no Stop when nothing runs", async () => {
    await renderConversation();
    expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
  });
});

describe("the composer while one question is open", () => {
  const accepted = async (): Promise<{ status: "accepted"; interaction: Interaction }> => ({
    status: "accepted",
    interaction: anInteraction({ kind: "question", status: "answered" }),
  });

  test("Enter does not choose for the person: it moves to the choice", async () => {
    const sendMessage = vi.fn<Send>(async () => sent);
    const respond = vi.fn<Transport["respond"]>(accepted);
    const { input } = await renderConversation({
      log: asking(),
      transport: { sendMessage, respond },
    });
    type(input(), "As customers write it");
    enter(input());
    expect(sendMessage).not.toHaveBeenCalled();
    expect(respond).not.toHaveBeenCalled();
    const choice = document.activeElement!;
    expect(choice.textContent).toBe("Send as answer");
    // A key that is held down would press the newly focused button.
    expect(fireEvent.keyDown(choice, { key: "Enter", repeat: true })).toBe(false);
    expect(fireEvent.keyDown(choice, { key: "Enter" })).toBe(true);
  });

  test("sends the text as the answer", async () => {
    const respond = vi.fn<Transport["respond"]>(accepted);
    const { input } = await renderConversation({ log: asking(), transport: { respond } });
    type(input(), "As customers write it");
    await act(
      async () => void fireEvent.click(screen.getByRole("button", { name: "Send as answer" })),
    );
    expect(respond.mock.calls[0]?.slice(0, 2)).toMatchObject([
      "interaction-1",
      { action: "submit", reply: "As customers write it" },
    ]);
    expect(input().value).toBe("");
  });

  test("dismisses the question first, then sends the text as a message", async () => {
    const order: string[] = [];
    const respond: Transport["respond"] = async (_id, body) => {
      order.push(body.action);
      return accepted();
    };
    const sendMessage: Send = async (_id, body) => {
      order.push(body.content);
      return sent;
    };
    const { input } = await renderConversation({
      log: asking(),
      transport: { respond, sendMessage },
    });
    type(input(), "Forget it");
    await act(
      async () => void fireEvent.click(screen.getByRole("button", { name: "Skip and send" })),
    );
    expect(order).toEqual(["cancel", "Forget it"]);
    expect(input().value).toBe("");
  });

  test("keeps the text when the answer was refused", async () => {
    const respond: Transport["respond"] = async () => ({
      status: "refused",
      problem: {
        type: "about:blank",
        title: "Already answered",
        status: 409,
        code: "ALREADY_ANSWERED",
        detail: "Somebody answered this already.",
        retryable: false,
      },
    });
    const { input } = await renderConversation({ log: asking(), transport: { respond } });
    type(input(), "Mine");
    await act(
      async () => void fireEvent.click(screen.getByRole("button", { name: "Send as answer" })),
    );
    expect(input().value).toBe("Mine");
    expect(screen.getByRole("alert").textContent).toContain("Somebody answered this already.");
  });
});

describe("queued messages", () => {
  const queued = {
    messageId: "q1",
    turnId: "turn-9",
    content: "Later",
    origin: "person",
    queuedAt: "2026-01-01T00:00:00.000Z",
  } as const;

  test("are shown, can be removed, and can be moved back into the field", async () => {
    const removeQueuedMessage = vi.fn<Transport["removeQueuedMessage"]>(async () => undefined);
    const { input, gateway } = await renderConversation({
      log: running,
      transport: { removeQueuedMessage },
    });
    await act(async () =>
      gateway.show({ type: "queue_changed", sessionId: "session", messages: [queued] }),
    );
    expect(screen.getByRole("region", { name: "Queued messages" }).textContent).toContain("Later");
    type(input(), "First");
    await act(
      async () =>
        void fireEvent.click(screen.getByRole("button", { name: "Edit this queued message" })),
    );
    expect(removeQueuedMessage).toHaveBeenCalledWith("session", "q1");
    expect(input().value).toBe("First\nLater");
  });

  test("[R-4] show an answer on its way to the agent, which can be neither removed nor edited", async () => {
    const { gateway } = await renderConversation({ log: running });
    const answer = { ...queued, origin: "late_response" } as const;
    await act(async () =>
      gateway.show({ type: "queue_changed", sessionId: "session", messages: [answer] }),
    );
    const region = screen.getByRole("region", { name: "Queued messages" });
    expect(region.textContent).toContain("Lateryour answer");
    expect(region.querySelectorAll("button")).toHaveLength(0);
  });
});

describe("[R-5] above the composer", () => {
  const allowed = (endsAt: string) =>
    toLog({
      type: "session_updated",
      permissionMode: "everything",
      limitedMode: { mode: "everything", into: "default", endsAt },
    });
  const later = new Date(Date.now() + 30.5 * 60_000).toISOString();

  test("is the time for which everything runs without asking, with a button to end it", async () => {
    const updateSession = vi.fn<Transport["updateSession"]>(() =>
      Promise.reject(new ClientError("CONNECTION_CLOSED", "Gone.")),
    );
    await renderConversation({ log: allowed(later), transport: { updateSession } });
    const button = await screen.findByRole("button", { name: "End now" });
    expect(screen.getByRole("timer").textContent).toBe("30 min left");
    fireEvent.click(button);
    expect(updateSession.mock.calls).toEqual([["session", { endPermissionMode: "everything" }]]);
    expect((await screen.findByRole("alert")).textContent).toContain("Not ended");
  });

  test("is nothing once it is over, but the conversation shows it", async () => {
    const ended = toLog(
      {
        type: "session_updated",
        permissionMode: "everything",
        limitedMode: { mode: "everything", into: "default", endsAt: later },
      },
      { type: "session_updated", permissionMode: "default", endedMode: "everything" },
    );
    await renderConversation({ log: ended });
    expect(await screen.findByText(/The agent asks again/)).toBeDefined();
    expect(screen.queryByRole("button", { name: "End now" })).toBeNull();
  });
});
