import {
  detailsOf,
  factsOf,
  OPERATION_NAMES,
  type OperationName,
  refusalOfAccess,
  type Role,
  ROLES,
} from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { hashSecret } from "../auth/secrets.ts";
import { openSocket } from "../testing/open-socket.ts";
import { sampleInput } from "../testing/sample-requests.ts";
import { serveEngine } from "../testing/serve-engine.ts";

const ISSUER = "https://login.example.org";
const TOKEN = "t".repeat(43);
const PEOPLE = {
  issuers: [
    { issuer: ISSUER, clientId: "1", admit: ROLES.map((role) => ({ subject: role, role })) },
  ],
  key: new Uint8Array(32),
};

/** A gateway, and a program of a person with that role who signed in at an issuer. */
async function serveFor(role: Role) {
  const served = await serveEngine(undefined, { people: PEOPLE });
  await served.credentials.add({
    tokenId: "tok_program",
    tokenHash: hashSecret(TOKEN),
    kind: "program",
    scope: "respond",
    person: role,
    personId: `per_${role}`,
    label: "Script",
    createdAtMs: served.clock.now(),
    expiresAtMs: Date.UTC(2099, 0, 1),
    signIn: { issuer: ISSUER, subject: role, groups: [], confirmedAtMs: served.clock.now() },
  });
  return served;
}

function isRefused(name: OperationName, role: Role): boolean {
  const { method, role: least } = factsOf(name);
  const caller = { principal: "person", scope: "respond", role } as const;
  return (
    refusalOfAccess(caller, { access: detailsOf(name).access, method, role: least }) !== undefined
  );
}

test("every operation over a WebSocket is refused to roles that the table excludes", async ({
  annotate,
}) => {
  let tried = 0;
  const counts: Record<string, number> = {};
  for (const role of ROLES) {
    await using served = await serveFor(role);
    const socket = await openSocket(served);
    socket.send({ type: "hello", token: TOKEN, clientId: "one" });
    expect((await socket.next()).type).toBe("welcome");
    for (const name of OPERATION_NAMES) {
      socket.send({ type: "request", requestId: name, method: name, params: sampleInput(name) });
      let answer = await socket.next();
      while (answer["requestId"] !== name) answer = await socket.next();
      const code = (answer["error"] as { code?: string } | undefined)?.code ?? answer["code"];
      const what = [role, name];
      expect(code, `${role} ${name}`).not.toBe("BAD_REQUEST");
      expect([...what, code === "FORBIDDEN"]).toEqual([...what, isRefused(name, role)]);
      if (code === "FORBIDDEN") counts[role] = (counts[role] ?? 0) + 1;
      tried += 1;
    }
    await socket.leave();
  }
  expect(tried).toBe(ROLES.length * OPERATION_NAMES.length);
  // A viewer changes only their own settings, and can remind those able to answer.
  const atDevice = { principal: "person", role: "viewer" } as const;
  const changing = OPERATION_NAMES.filter((name) => factsOf(name).method !== "GET");
  const allowed = changing.filter(
    (name) =>
      refusalOfAccess(atDevice, { ...factsOf(name), access: detailsOf(name).access }) === undefined,
  );
  expect(allowed).toEqual(["remind", "revokeDevice", "renameDevice", "removeNotifications"]);
  await annotate(`${ROLES.length} roles × ${OPERATION_NAMES.length} operations`, "cases");
});

test("every operation for people names a role, and none for agents does", () => {
  const roleless = OPERATION_NAMES.filter((name) => factsOf(name).role === undefined);
  expect(roleless).toEqual(OPERATION_NAMES.filter((name) => detailsOf(name).access === "agent"));
});

test("a viewer's page does not count as a client that agents can wait for", async () => {
  const presence = async (role: Role): Promise<unknown> => {
    await using served = await serveFor(role);
    const socket = await openSocket(served);
    const interaction = { supported: true, enabled: true };
    socket.send({
      type: "hello",
      token: TOKEN,
      clientId: "one",
      interaction,
    });
    socket.send({ type: "subscribe_overview" });
    for (;;) {
      const frame = await socket.next();
      const { type, answerable } = (frame["frame"] ?? frame) as Record<string, unknown>;
      if (type === "presence") return answerable;
    }
  };
  expect(await presence("viewer")).toBe(false);
  expect(await presence("responder")).toBe(true);
});
