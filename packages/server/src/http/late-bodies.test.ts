import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";

import { expect, test } from "vitest";

import { ISSUER, type PeopleScene, servePeople } from "../testing/people-scene.ts";

/** Starts to deny a request of Ada's as Bob, and finishes after something has happened to Bob. */
async function denyAcross(scene: PeopleScene, happens: () => Promise<unknown>) {
  const body = JSON.stringify({ action: "deny", reason: "No." });
  const asking = request({
    port: scene.port,
    host: "127.0.0.1",
    method: "POST",
    path: `/api/interactions/${scene.open}/response`,
    headers: {
      authorization: `Bearer ${scene.tokenOf("bob")}`,
      "content-type": "application/json",
      "content-length": body.length,
    },
  });
  const answered = once(asking, "response") as Promise<[IncomingMessage]>;
  asking.write(body.slice(0, 5));
  // The requester is known by this time: requests of one program are handled in order.
  await scene.call("/api/person", { token: scene.tokenOf("bob") });
  await happens();
  asking.end(body.slice(5));
  const [answer] = await answered;
  const { code } = (await json(answer)) as { code?: string };
  const { status } = await scene.gateway.getInteraction(scene.callerOf("ada"), scene.open);
  return { code, status };
}

/** The issuer identifies Bob as this subject. */
function says({ gateway, clock }: PeopleScene, subject: string): Promise<unknown> {
  const signIn = { issuer: ISSUER, subject, groups: [], confirmedAtMs: clock.now() };
  return gateway.credentials.confirm("per_bob", signIn);
}

test("[R-13] [R-5] an answer is refused if its token is revoked, or its person removed, while its body is uploading", async () => {
  for (const happens of [
    ({ credentials }: PeopleScene) => credentials.revoke("tok_bob"),
    (scene: PeopleScene) => says(scene, "nobody"),
  ]) {
    await using scene = await servePeople();
    expect(await denyAcross(scene, () => happens(scene))).toEqual({
      code: "UNAUTHENTICATED",
      status: "pending",
    });
  }
});

test("[R-13] an answer is refused if its person has become a viewer while its body is uploading, and others are accepted", async () => {
  await using scene = await servePeople();
  const looks = (): Promise<unknown> => says(scene, "vera");
  expect(await denyAcross(scene, looks)).toEqual({ code: "FORBIDDEN", status: "pending" });
  await using other = await servePeople();
  expect((await denyAcross(other, async () => undefined)).status).not.toBe("pending");
});
