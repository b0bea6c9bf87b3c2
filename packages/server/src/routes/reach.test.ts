import {
  detailsOf,
  factsOf,
  idsOf,
  OPERATION_NAMES,
  OPERATION_REACH,
  type OperationName,
} from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { openWelcomed } from "../testing/open-socket.ts";
import {
  type Name,
  NAMES,
  type PeopleScene,
  SECRET,
  servePeople,
} from "../testing/people-scene.ts";
import { sampleInput, sampleRequest } from "../testing/sample-requests.ts";
import { listRoutes } from "../testing/serve.ts";

/** The people with access to an operation's target, if their role is sufficient. */
const LET_THROUGH = {
  session: { ada: true, bob: true, sid: false, carl: false, vera: false, olga: true },
  open: { ada: true, bob: true, sid: false, carl: false, vera: false, olga: true },
  // People named by the policy see the card, but only those who can answer at all.
  named: { ada: true, bob: true, sid: true, carl: false, vera: false, olga: true },
} as const satisfies Record<string, Record<Name, boolean>>;
type Target = keyof typeof LET_THROUGH;

/** The ids of existing items; other ids are samples that match nothing. */
function idsIn(scene: PeopleScene, target: Target): Record<string, string> {
  const { sessionId, attachmentId, messageId } = scene;
  return {
    sessionId,
    attachmentId,
    messageId,
    ...(target !== "session" && { interactionId: scene[target] }),
  };
}

/** As long as real ids, but matching nothing. */
const ABSENT = { sessionId: "ses_99", interactionId: "int_99" };

function targetsOf(name: OperationName): Target[] {
  const reach = OPERATION_REACH[name];
  if (reach === "session") return ["session"];
  return reach === "interaction" ? ["open", "named"] : [];
}

const CASES = OPERATION_NAMES.flatMap((name) =>
  targetsOf(name).flatMap((target) => NAMES.map((who) => ({ name, target, who }))),
);

test("each operation is classified by the ids in its path", () => {
  for (const name of OPERATION_NAMES) {
    const reach = OPERATION_REACH[name];
    const { access } = detailsOf(name);
    const [first] = idsOf(name);
    const { role, path } = factsOf(name);
    expect([name, reach === "agent"]).toEqual([name, access === "agent"]);
    if (access === "agent") continue;
    expect([name, reach === "session"]).toEqual([name, first === "sessionId"]);
    expect([name, reach === "interaction"]).toEqual([name, first === "interactionId"]);
    // The door looks at the first id alone.
    expect(path.match(/\{(sessionId|interactionId)\}/g) ?? []).toHaveLength(
      reach === "session" || reach === "interaction" ? 1 : 0,
    );
    expect([name, reach === "owner" && role !== "owner"]).toEqual([name, false]);
  }
});

test("no other route for people names a session", () => {
  const others = listRoutes().filter(
    ({ path, access, operationId }) =>
      /\{(?:sessionId|interactionId)\}/.test(path) &&
      access !== "agent" &&
      !OPERATION_NAMES.some((name) => name === operationId),
  );
  expect(others.map(({ operationId }) => operationId)).toEqual(["followSession"]);
});

test("[R-15] each operation admits exactly the session's person, people it was given to, and people named", async ({
  annotate,
}) => {
  let tried = 0;
  for (const { name, target, who } of CASES) {
    await using scene = await servePeople();
    const ids = idsIn(scene, target);
    const absent = await scene.ask(name, who, { ...ids, ...ABSENT });
    const got = await scene.ask(name, who, ids);
    // For everyone else the answer is identical to the answer for a missing item. With an insufficient role both are
    // refused.
    const isSame = !LET_THROUGH[target][who] || absent.includes("FORBIDDEN");
    // There is no question: a person who sees everything gets the same answer for both.
    const isNotAsked = name === "submitAnswers" && who === "olga";
    const what = [name, target, who];
    expect([...what, got === absent]).toEqual([...what, isSame || isNotAsked]);
    tried += 1;
  }
  expect(tried).toBe(CASES.length);
  await annotate(`${CASES.length} operations × people`, "cases");
});

test("[R-15] over HTTP and a WebSocket other people's sessions look like missing ones", async ({
  annotate,
}) => {
  await using scene = await servePeople();
  const routes = new Map(listRoutes().map((route) => [route.operationId, route]));
  let tried = 0;
  for (const who of ["carl", "vera"] as const) {
    const socket = await openWelcomed(scene, { token: scene.tokenOf(who) });
    const overSocket = async (method: string, params: object): Promise<string> => {
      const requestId = `${(tried += 1)}`;
      socket.send({ type: "request", requestId, method, params });
      for (;;) {
        const { requestId: got, ...frame } = await socket.next();
        if (got === requestId) return JSON.stringify(frame);
      }
    };
    for (const { name, target } of CASES.filter((one) => one.who === who)) {
      const route = routes.get(name === "readEvents" ? "followSession" : name)!;
      const own = idsIn(scene, target);
      const fetched = async (ids: Record<string, string>): Promise<unknown> => {
        const { path, ...init } = sampleRequest(route, ids);
        const accept = name === "readEvents" ? { accept: "text/event-stream" } : {};
        const answer = await scene.call(path, {
          ...init,
          headers: accept,
          token: scene.tokenOf(who),
        });
        const { instance: _, ...problem } = (await answer.json()) as Record<string, unknown>;
        return [answer.status, problem];
      };
      const real = sampleInput(name, own);
      const absent = sampleInput(name, { ...own, ...ABSENT });
      expect([name, await fetched(own)]).toEqual([name, await fetched({ ...own, ...ABSENT })]);
      expect([name, await overSocket(name, real)]).toEqual([name, await overSocket(name, absent)]);
    }
    await socket.leave();
  }
  await annotate(`${tried} requests`, "cases");
  // Nothing of it happened.
  const { items } = await scene.gateway.listInteractions(scene.callerOf("ada"), {
    status: ["pending"],
    limit: 10,
  });
  expect(items).toHaveLength(2);
});

test("[R-15] no list shows anything of other people's sessions, for any query", async () => {
  await using scene = await servePeople();
  const { gateway, sessionId, named } = scene;
  await gateway.snoozeInteraction(scene.callerOf("sid"), named, {
    until: new Date(scene.clock.now() + 60_000).toISOString(),
  });
  const ada = scene.callerOf("ada");
  const { approval } = await gateway.getInteraction(ada, scene.open);
  const digest = approval!.digest;
  await gateway.respond(ada, scene.open, { action: "approve", digest });
  // Another one, for the cursor of a page that has more.
  await gateway.createSession(ada, { agent: "scripted", title: `More ${SECRET}` });
  const page = await gateway.listSessions(ada, { limit: 1 });
  const cursor = page.nextCursor!;
  expect(cursor).toBeDefined();
  const all = ["pending", "answered", "delivered", "expired", "orphaned", "withdrawn"];
  const queries: Readonly<Record<string, readonly object[]>> = {
    listSessions: [{ archived: "only" }, { words: SECRET }, { cursor }],
    listInteractions: [{ status: all }, { status: all, sessionId }, { status: all, cursor }],
    listHistory: [{ words: SECRET }, { person: "ada" }, { cursor }],
    listGrants: [{ cursor }],
  };
  const filtered = OPERATION_NAMES.filter((name) => OPERATION_REACH[name] === "filtered");
  expect(filtered).toEqual(expect.arrayContaining(Object.keys(queries)));
  const asks = filtered.flatMap((name) =>
    [{}, ...(queries[name] ?? [])].flatMap((query) =>
      (["carl", "vera"] as const).flatMap((who) =>
        [{}, { accept: "application/jsonl" }].map((headers) => ({ name, query, who, headers })),
      ),
    ),
  );
  for (const { name, query, who, headers } of asks) {
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([key, value]) =>
        [value].flat().map((one): [string, string] => [key, String(one)]),
      ),
    );
    const path = `${factsOf(name).path}?${search.toString()}`;
    const answer = await scene.call(path, { token: scene.tokenOf(who), headers });
    const text = await answer.text();
    const found = ["ses_", "ada", SECRET].filter((word) => text.includes(word));
    expect([path, who, answer.status, found]).toEqual([path, who, 200, []]);
  }
  // Figures are of all sessions together.
  const figures = (who: Name) => scene.call("/metrics", { token: scene.tokenOf(who) });
  expect((await figures("carl")).status).toBe(403);
  expect((await figures("olga")).status).toBe(200);
  // Sid sees the card that names sec, and nothing else.
  const { items } = await gateway.listInteractions(scene.callerOf("sid"), {
    status: ["pending"],
    limit: 10,
  });
  expect(items.map(({ interactionId }) => interactionId)).toEqual([named]);
  expect(await gateway.listSnoozes(scene.callerOf("sid"))).toMatchObject({
    items: [{ interactionId: named }],
  });
});
