import { ProtocolError, SOCKET_LIMITS } from "@holdpoint/protocol";
import { describe, expect, test, vi } from "vitest";

import { refuse } from "../testing/fake-gateway.ts";
import { hello, openWelcomed, type TestSocket } from "../testing/open-socket.ts";
import { serve } from "../testing/serve.ts";

const request = (method: string, params?: object): object => ({
  type: "request",
  requestId: "1",
  method,
  ...(params && { params }),
});

/** The answers to one frame; two round trips later, nothing more arrives. */
async function answersTo(client: TestSocket, frame: unknown): Promise<object[]> {
  client.send(frame);
  const answers = [];
  for (const requestId of ["first trip", "second trip"]) {
    client.send({ type: "ping", requestId });
    for (;;) {
      const answer = await client.next();
      if (answer["requestId"] === requestId) break;
      answers.push(answer);
    }
  }
  return answers;
}

describe("commands", () => {
  const said = { action: "deny", reason: "No." };
  const of = { sessionId: "ses_1" };

  test.each<[string, object, object | undefined]>([
    ["listAgents", request("listAgents"), { items: [] }],
    [
      "createSession",
      request("createSession", { body: { agent: "demo" } }),
      { title: "A session" },
    ],
    ["listSessions", request("listSessions", { query: {} }), { items: [{ sessionId: "ses_1" }] }],
    ["getSession", request("getSession", of), of],
    [
      "updateSession",
      request("updateSession", { ...of, body: { title: "New" } }),
      { title: "New" },
    ],
    ["deleteSession", request("deleteSession", of), undefined],
    ["sendMessage", request("sendMessage", { ...of, body: { content: "Hi" } }), { queued: false }],
    ["listQueue", request("listQueue", of), { items: [] }],
    ["stopTurn", request("stopTurn", of), undefined],
    ["readEvents", request("readEvents", { ...of, query: {} }), { items: [], epoch: "e1" }],
    ["listInteractions", request("listInteractions", { query: {} }), { items: [] }],
    ["getInteraction", request("getInteraction", { interactionId: "int_1" }), { attempt: 1 }],
    [
      "respond",
      request("respond", { interactionId: "int_1", body: said }),
      { interaction: { interactionId: "int_1" } },
    ],
    [
      "submitAnswers",
      request("submitAnswers", { ...of, body: { toolCallId: "call_1", answers: {} } }),
      { interaction: {} },
    ],
    [
      "approveTool",
      request("approveTool", { ...of, body: { toolCallId: "call_1", digest: "d" } }),
      { interaction: {} },
    ],
    [
      "denyTool",
      request("denyTool", { ...of, body: { toolCallId: "call_1" } }),
      { interaction: {} },
    ],
    ["setInteractionMode", request("setInteractionMode", { body: { enabled: false } }), undefined],
    [
      "user_message",
      { type: "user_message", requestId: "1", ...of, content: "Hi" },
      { queued: false },
    ],
    ["stop", { type: "stop", requestId: "1", ...of }, undefined],
    [
      "tool_interaction_response",
      { type: "tool_interaction_response", requestId: "1", ...of, interactionId: "int_1", ...said },
      { interaction: { interactionId: "int_1" } },
    ],
    [
      "ask_user_response",
      {
        type: "ask_user_response",
        requestId: "1",
        conversation_id: "ses_1",
        tool_call_id: "call_1",
        answers: { q1: "Yes" },
      },
      { interaction: { interactionId: "int_1" } },
    ],
    [
      "set_interaction_mode",
      { type: "set_interaction_mode", requestId: "1", enabled: true },
      undefined,
    ],
    ["ping", { type: "ping", requestId: "1" }, undefined],
    ["unsubscribe", { type: "unsubscribe", requestId: "1", ...of }, undefined],
  ])("%s gets one result", async (_, frame, value) => {
    await using served = await serve();
    served.gateway.addSession("ses_1");
    const client = await openWelcomed(served);
    const answers = await answersTo(client, frame);
    expect(answers).toMatchObject([{ type: "result", requestId: "1", ...(value && { value }) }]);
    expect("value" in answers[0]!).toBe(value !== undefined);
    await client.leave();
  });

  test("without a requestId succeed in silence, and report failures", async () => {
    await using served = await serve();
    served.gateway.addSession("ses_1");
    const client = await openWelcomed(served);
    expect(await answersTo(client, { type: "stop", sessionId: "ses_1" })).toEqual([]);
    expect(served.gateway.callers).toHaveLength(1);
    const [error] = await answersTo(client, { type: "stop", sessionId: "ses_9" });
    expect(error).toMatchObject({ type: "error", code: "NOT_FOUND", message: expect.any(String) });
    expect(error).not.toHaveProperty("requestId");
    await client.leave();
  });

  test("the names of the source documents reach the same methods", async () => {
    await using served = await serve();
    const { gateway } = served;
    const respond = vi.spyOn(gateway, "respond");
    const submitAnswers = vi.spyOn(gateway, "submitAnswers");
    const sendMessage = vi.spyOn(gateway, "sendMessage");
    gateway.addSession("ses_1");
    const client = await openWelcomed(served);
    const interaction = { sessionId: "ses_1", callId: "call_1", interactionId: "int_1" };
    for (const frame of [
      { type: "tool_interaction_response", ...interaction, action: "approve", digest: "d" },
      {
        type: "ask_user_response",
        conversation_id: "ses_1",
        tool_call_id: "c",
        answers: { a: "b" },
      },
      { type: "user_message", sessionId: "ses_1", content: "Hi", queue: true },
    ]) {
      await answersTo(client, frame);
    }
    const caller = expect.objectContaining({ clientId: "cli_1" }) as object;
    expect(respond.mock.calls).toEqual([[caller, "int_1", { action: "approve", digest: "d" }]]);
    expect(submitAnswers.mock.calls).toEqual([
      [caller, "ses_1", { toolCallId: "c", answers: { a: "b" } }],
    ]);
    expect(sendMessage.mock.calls).toEqual([[caller, "ses_1", { content: "Hi", queue: true }]]);
    await client.leave();
  });

  test.each([
    { sessionId: "ses_2" },
    { sessionId: "ses_1", callId: "call_2" },
    { sessionId: "ses_1", toolCallId: "call_2" },
    { sessionId: "ses_1", toolCallId: "call_1", callId: "call_2" },
  ])("a response for another call than the asking one (%o) answers nothing", async (call) => {
    await using served = await serve();
    const client = await openWelcomed(served);
    served.gateway.respond = () => expect.unreachable();
    const response = { interactionId: "int_1", action: "deny" };
    const frame = { type: "tool_interaction_response", ...call, ...response };
    expect(await answersTo(client, frame)).toMatchObject([{ type: "error", code: "NOT_FOUND" }]);
    await client.leave();
  });

  test("[R-1] the loser gets the winner", async () => {
    await using served = await serve();
    const by = { person: "Bob", client: "Phone", at: "2026-01-02T03:04:05.000Z" };
    const winner = { action: "approve" as const, by };
    const lost = new ProtocolError("ALREADY_ANSWERED", "Bob was faster.", { winner });
    served.gateway.respondResult = refuse(lost);
    const client = await openWelcomed(served);
    const frame = request("respond", { interactionId: "int_1", body: { action: "deny" } });
    expect(await answersTo(client, frame)).toMatchObject([
      { type: "error", requestId: "1", code: "ALREADY_ANSWERED", problem: { winner } },
    ]);
    await client.leave();
  });

  test("an internal error is reported without detail, and logged", async () => {
    const lines: object[] = [];
    const log = { info: () => {}, warn: () => {}, error: (line: object) => void lines.push(line) };
    await using served = await serve({ log });
    served.gateway.failure = new TypeError("secret");
    const client = await openWelcomed(served);
    const answers = await answersTo(client, request("listAgents"));
    expect(answers).toMatchObject([{ type: "error", requestId: "1", code: "INTERNAL" }]);
    expect(JSON.stringify([answers, lines])).not.toContain("secret");
    expect(lines).toHaveLength(1);
    await client.leave();
  });

  test("a stopping gateway allows reading, and nothing else", async () => {
    await using served = await serve();
    served.gateway.addSession("ses_1");
    const client = await openWelcomed(served);
    served.gateway.draining = true;
    const read = await answersTo(client, request("getSession", { sessionId: "ses_1" }));
    expect(read).toMatchObject([{ type: "result" }]);
    const stop = await answersTo(client, { type: "stop", requestId: "1", sessionId: "ses_1" });
    expect(stop).toMatchObject([{ type: "error", code: "DRAINING" }]);
    await client.leave();
  });

  test("[R-20] the 65th simultaneous command is refused", async () => {
    await using served = await serve();
    const gate = Promise.withResolvers<void>();
    served.gateway.listAgents = async () => {
      await gate.promise;
      return { items: [] };
    };
    const client = await openWelcomed(served);
    for (let index = 0; index <= SOCKET_LIMITS.runningRequests; index += 1) {
      client.send({ type: "request", requestId: `${index}`, method: "listAgents" });
    }
    const refused = { type: "error", requestId: "64", code: "RATE_LIMITED" };
    expect(await client.next()).toMatchObject(refused);
    gate.resolve();
    const results = await client.take(SOCKET_LIMITS.runningRequests);
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set(["result"]));
    expect(await answersTo(client, request("listAgents"))).toMatchObject([{ type: "result" }]);
    await client.leave();
  });
});

describe("invalid frames", () => {
  test.each<[string, unknown, string[]]>([
    ["an unknown type", { type: "sing", requestId: "1" }, ["type"]],
    ["no type", { requestId: "1" }, ["type"]],
    ["an unknown method", request("sing"), ["method"]],
    ["a request without params", request("getSession"), [""]],
    ["a wrong body", request("createSession", { body: { agent: 7 } }), ["agent"]],
    ["no body", request("createSession", {}), [""]],
    ["a wrong query", request("readEvents", { sessionId: "s", query: { limit: 0 } }), ["limit"]],
    ["an empty id", { type: "stop", requestId: "1", sessionId: "" }, ["sessionId"]],
    ["a wrong cursor", { type: "subscribe", requestId: "1", sessionId: "s", after: -1 }, ["after"]],
    ["more than allowed", { type: "ping", requestId: "1", extra: true }, [""]],
    [
      "invalid answers",
      {
        type: "ask_user_response",
        requestId: "1",
        conversation_id: "s",
        tool_call_id: "c",
        answers: { q1: 7 },
      },
      ["answers.q1"],
    ],
    [
      "a prototype for a body",
      '{"type":"request","requestId":"1","method":"createSession","params":{"__proto__":{"body":{}}}}',
      [""],
    ],
  ])("%s is reported to its sender, by request", async (_, frame, fields) => {
    await using served = await serve();
    const client = await openWelcomed(served);
    const [answer, ...more] = await answersTo(client, frame);
    expect(answer).toMatchObject({ type: "error", requestId: "1", code: "BAD_REQUEST" });
    const { problem } = answer as { problem: { fieldErrors: object } };
    expect(Object.keys(problem.fieldErrors)).toEqual(fields);
    expect(more).toEqual([]);
    expect(served.gateway.callers).toEqual([]);
    await client.leave();
  });

  test.each([
    ["a number for a requestId", { type: "ping", requestId: 7 }],
    ["a requestId without end", { type: "ping", requestId: "x".repeat(129) }],
  ])("%s gets an error that names no request", async (_, frame) => {
    await using served = await serve();
    const client = await openWelcomed(served);
    const [answer] = await answersTo(client, frame);
    expect(answer).toMatchObject({ type: "error", code: "BAD_REQUEST" });
    expect(answer).not.toHaveProperty("requestId");
    await client.leave();
  });

  test("a response of more than 64 KiB is TOO_LARGE, whatever it is called, and a message is not", async () => {
    await using served = await serve();
    served.gateway.addSession("ses_1");
    const client = await openWelcomed(served);
    const reason = "x".repeat(70_000);
    const of = { requestId: "1", sessionId: "ses_1" };
    const body = { action: "deny", reason };
    for (const frame of [
      request("respond", { interactionId: "int_1", body }),
      request("denyTool", { sessionId: "ses_1", body: { toolCallId: "call_1", reason } }),
      { type: "tool_interaction_response", ...of, interactionId: "int_1", ...body },
    ]) {
      expect(await answersTo(client, frame)).toMatchObject([{ requestId: "1", code: "TOO_LARGE" }]);
    }
    const message = { type: "user_message", ...of, content: reason };
    expect(await answersTo(client, message)).toMatchObject([{ type: "result" }]);
    await client.leave();
  });

  test.each<[string, (client: TestSocket) => void, number, string]>([
    ["no JSON", (client) => client.send("{"), 4400, "BAD_REQUEST"],
    [
      "JSON nested without end",
      (client) => {
        const values = "[".repeat(90_000) + "]".repeat(90_000);
        client.send(`{"type":"request","method":"respond","params":{"body":${values}}}`);
      },
      4400,
      "BAD_REQUEST",
    ],
    ["no object", (client) => client.send("[]"), 4400, "BAD_REQUEST"],
    ["null", (client) => client.send("null"), 4400, "BAD_REQUEST"],
    ["bytes", ({ socket }) => socket.send(Buffer.from("{}")), 4400, "BAD_REQUEST"],
    ["a second hello", (client) => client.send(hello()), 4400, "BAD_REQUEST"],
    ["more than 256 KiB", (client) => client.send("x".repeat(256 * 1024 + 1)), 1009, ""],
    [
      "text that is not UTF-8",
      ({ socket }) => socket.send(Buffer.from([0xc3, 0x28]), { binary: false }),
      1007,
      "",
    ],
    [
      "an invalid WebSocket frame",
      // A reserved bit: nothing that was agreed upon sets it.
      ({ stream }) => stream.write(Buffer.from([0xf1, 0x80, 0, 0, 0, 0])),
      1002,
      "",
    ],
  ])("%s ends the connection, and no one else is affected", async (_, misbehave, code, reason) => {
    await using served = await serve();
    served.gateway.addSession("ses_1");
    const timers = served.clock.timerCount;
    const other = await openWelcomed(served, { clientId: "cli_2" });
    const client = await openWelcomed(served);
    client.send({ type: "subscribe", sessionId: "ses_1" });
    await answersTo(client, { type: "ping" });
    misbehave(client);
    expect(await client.closed).toEqual({ code, reason });
    const errors = (await client.rest()).filter(({ type }) => type === "error");
    expect(errors).toMatchObject(reason === "" ? [] : [{ code: reason }]);
    const get = request("getSession", { sessionId: "ses_1" });
    expect(await answersTo(other, get)).toMatchObject([{ type: "result" }]);
    expect(served.gateway.followerCount).toBe(0);
    expect(served.gateway.announced.get("cli_1")?.aborted).toBe(true);
    await other.leave();
    expect(served.clock.timerCount).toBe(timers);
  });
});

describe("a page reports whether it is in view", () => {
  test("and counts as looking until it is hidden or gone", async () => {
    await using served = await serve();
    const { looking } = served.gateway as unknown as { looking: Map<string, AbortSignal> };
    const client = await openWelcomed(served);
    const said = async (visible: unknown) => answersTo(client, { type: "visibility", visible });
    await said(false);
    expect(looking.size).toBe(0);
    await said(true);
    const [[clientId, first] = []] = looking;
    expect([clientId, first?.aborted]).toEqual(["cli_1", false]);
    await said(true);
    expect(first?.aborted).toBe(false);
    await said(false);
    expect(first?.aborted).toBe(true);
    await said(true);
    const second = looking.get(clientId!);
    await client.leave();
    await vi.waitFor(() => expect(second?.aborted).toBe(true));
  });
});
