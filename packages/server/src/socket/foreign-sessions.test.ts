import { expect, test } from "vitest";

import { openWelcomed } from "../testing/open-socket.ts";
import { servePeople } from "../testing/people-scene.ts";

/** Frames of a WebSocket that name a session or an interaction in their own words. */
function framesOf(sessionId: string, interactionId: string): object[] {
  const response = { interactionId, action: "deny", reason: "No." };
  return [
    { type: "subscribe", sessionId, after: 0 },
    { type: "user_message", sessionId, content: "Hi" },
    { type: "stop", sessionId },
    { type: "tool_interaction_response", sessionId, ...response },
    {
      type: "ask_user_response",
      conversation_id: sessionId,
      tool_call_id: "call_1",
      answers: { q1: "Yes" },
    },
  ];
}

test("[R-15] in frames of a WebSocket other people's sessions look like missing ones", async () => {
  await using scene = await servePeople();
  for (const who of ["carl", "vera"] as const) {
    const socket = await openWelcomed(scene, { token: scene.tokenOf(who) });
    const told = async (frame: object): Promise<string> => {
      socket.send({ ...frame, requestId: "asked" });
      for (;;) {
        const { requestId, ...answer } = await socket.next();
        if (requestId === "asked") return JSON.stringify(answer);
      }
    };
    const real = framesOf(scene.sessionId, scene.named);
    const absent = framesOf("ses_99", "int_99");
    for (const [index, frame] of real.entries()) {
      const answer = await told(frame);
      const same = (await told(absent[index]!)).replaceAll("ses_99", scene.sessionId);
      expect([who, frame, answer]).toEqual([who, frame, same]);
      expect(answer).toMatch(/"code":"(NOT_FOUND|FORBIDDEN)"/);
    }
    await socket.leave();
  }
});

test("[R-15] open streams of a session end for a group that loses it, over HTTP and in a socket", async () => {
  await using scene = await servePeople();
  const { sessionId } = scene;
  const token = scene.tokenOf("bob");
  const stream = await scene.call(`/api/sessions/${sessionId}/events`, {
    token,
    headers: { accept: "text/event-stream" },
  });
  const text = stream.text();
  const socket = await openWelcomed(scene, { token });
  socket.send({ type: "subscribe", sessionId, after: 0, requestId: "1" });
  for (;;) if ((await socket.next()).type === "result") break;
  await scene.clock.settle();
  await scene.give();
  await scene.gateway.updateSession(scene.callerOf("ada"), sessionId, { title: "Not for Bob" });
  await scene.clock.settle();
  expect(await text).toMatch(/session_deleted/);
  expect(await text).not.toContain("Not for Bob");
  socket.send({ type: "ping", requestId: "last" });
  const frames: string[] = [];
  for (;;) {
    const frame = await socket.next();
    frames.push(JSON.stringify(frame));
    if (frame["requestId"] === "last") break;
  }
  expect(frames.at(-2)).toContain("session_deleted");
  expect(frames.join("")).not.toContain("Not for Bob");
  await socket.leave();
});
