import { expect, test } from "vitest";

import { pending, until } from "./support/api.ts";
import { startOnSmallDisk } from "./support/small-disk.ts";

test("[R-2] on a full disk an answer, a message and a file are refused, not even partly stored, and go through once there is room", async () => {
  await using gateway = await startOnSmallDisk();
  const { api } = gateway;
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  const before = await api.events(sessionId);
  gateway.fill();

  const answer = { action: "submit", reply: `Rename them. ${"x".repeat(9000)}` } as const;
  const respond = async () => {
    const { status, body } = await api.respond(interactionId, answer);
    return { status, ...("code" in body && { code: body.code }) };
  };
  const send = async () => {
    const content = `And this? ${"y".repeat(9000)}`;
    const path = `/sessions/${sessionId}/messages`;
    const { status, body } = await api.call<object>("POST", path, { content, queue: true });
    return { status, ...("code" in body && { code: body.code }) };
  };
  const upload = async () => {
    const path = `/sessions/${sessionId}/attachments`;
    const file = { name: "notes.txt", data: Buffer.from("Tea. ".repeat(9000)).toString("base64") };
    const { status, body } = await api.call<object>("POST", path, file);
    return { status, ...("code" in body && { code: body.code }) };
  };
  const refused = { status: 503, code: "STORE_UNAVAILABLE" };
  for (let press = 0; press < 3; press += 1) expect(await respond()).toEqual(refused);
  expect(await send()).toEqual(refused);
  expect(await upload()).toEqual(refused);
  expect(await api.interaction(interactionId)).toMatchObject({ status: "pending" });
  expect(await api.events(sessionId)).toEqual(before);

  gateway.makeRoom();
  expect(await respond()).toEqual({ status: 200 });
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "the delivery",
  );
  const events = await api.events(sessionId);
  const responses = events.filter(({ type }) => type === "interaction_response");
  expect(responses).toMatchObject([{ interactionId, reply: answer.reply }]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect((await send()).status).toBeLessThan(300);
  expect((await upload()).status).toBeLessThan(300);
});
