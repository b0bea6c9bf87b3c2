import type { Caller, OverviewCounts, OverviewFrame } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada as local, approval, Reader } from "../testing/gateway-fixture.ts";
import { HOME, openResponderScene, type ResponderScene } from "../testing/responder-scene.ts";

const OPS = { group: "ops", issuer: HOME };
const SEC = { group: "sec", issuer: HOME };
const MINUTE_MS = 60_000;

/** Ada, Bob of ops, Sid of sec, and Vera, a viewer; sessions are not shared. */
async function openScene(options: Parameters<typeof openResponderScene>[0] = {}) {
  const scene = await openResponderScene({ newSessionsFor: [], ...options });
  return {
    scene,
    ada: await scene.signIn("ada"),
    bob: await scene.signIn("bob", { groups: ["ops"] }),
    sid: await scene.signIn("sid", { groups: ["sec"] }),
    vera: await scene.signIn("vera", { groups: ["ops"] }, "viewer"),
  };
}

function follow({ gateway }: ResponderScene, by: Caller): Reader<OverviewFrame> {
  return new Reader((signal) => gateway.followOverview(by, { signal }));
}

/** The newest counts that it received. */
function countsOf({ frames }: Reader<OverviewFrame>): OverviewCounts | undefined {
  return frames.findLast((frame) => "counts" in frame)?.counts;
}

/** Whether frames from this position mention the session, as text. */
function tellsOf({ frames }: Reader<OverviewFrame>, id: string, from = 0): boolean {
  return JSON.stringify(frames.slice(from)).includes(id);
}

const NOTHING = { pending: 0, late: 0, sessions: 0, waitingSessions: 0, workingSessions: 0 };
const ONE = { ...NOTHING, pending: 1, sessions: 1, waitingSessions: 1 };

test("[R-15] an overview has a session only while it is the person's, and counts no other", async () => {
  const { scene, ada, bob } = await openScene();
  await using _ = scene;
  await using own = follow(scene, ada);
  await using others = follow(scene, bob);
  await using all = follow(scene, local);
  await scene.clock.settle();
  const { sessionId, interactionId } = await scene.ask(ada);
  expect([own, all].map(countsOf)).toEqual([ONE, ONE]);
  expect(countsOf(others)).toEqual(NOTHING);
  expect(tellsOf(others, sessionId) || tellsOf(others, interactionId)).toBe(false);

  await scene.gateway.giveSession(ada, sessionId, { groups: [OPS] });
  await scene.clock.settle();
  expect(countsOf(others)).toEqual(ONE);
  expect(others.frames.findLast(({ type }) => type === "snapshot")).toMatchObject({
    sessions: { items: [{ sessionId, belongsTo: { person: "ada" }, givenTo: [OPS] }] },
    pending: { items: [{ interactionId }] },
  });

  await scene.gateway.giveSession(local, sessionId, { groups: [] });
  await scene.clock.settle();
  expect(countsOf(others)).toEqual(NOTHING);
  expect(others.frames.findLast(({ type }) => type === "snapshot")).toMatchObject({
    sessions: { items: [] },
    pending: { items: [] },
  });
  const known = others.frames.length;
  await scene.deny(ada, interactionId);
  await scene.gateway.updateSession(ada, sessionId, { title: "Later" });
  await scene.gateway.deleteSession(local, sessionId);
  await scene.clock.settle();
  expect(tellsOf(others, sessionId, known)).toBe(false);
  expect([own, others, all].map(countsOf)).toEqual([NOTHING, NOTHING, NOTHING]);
});

test("[R-15] a stream ends like a deleted session's when the session is taken away", async () => {
  const { scene, ada, bob, sid } = await openScene();
  await using _ = scene;
  const { sessionId } = await scene.ask(ada);
  const open = (by: Caller) =>
    new Reader((signal) => scene.gateway.followSession(by, sessionId, { seq: 0 }, { signal }));
  await expect(open(sid).ended).rejects.toMatchObject({ code: "NOT_FOUND" });
  await scene.gateway.giveSession(ada, sessionId, { groups: [OPS] });
  await using reader = open(bob);
  await scene.clock.settle();
  expect(reader.frames.length).toBeGreaterThan(2);
  const known = reader.frames.length;
  await scene.gateway.giveSession(ada, sessionId, { groups: [SEC] });
  await scene.gateway.updateSession(ada, sessionId, { title: "Not for Bob" });
  await scene.clock.settle();
  expect(reader.frames.slice(known)).toEqual([{ type: "closing", reason: "session_deleted" }]);
  await reader.ended;
});

test("[R-15] people named by a policy see the request in another person's session, and nothing else of it", async () => {
  const responders = { default: { who: [{ group: "sec" }] } };
  const { scene, ada, bob, sid, vera } = await openScene({ responders });
  await using _ = scene;
  await using named = follow(scene, sid);
  await using looking = follow(scene, bob);
  await scene.clock.settle();
  const { interactionId, sessionId } = await scene.ask(ada);
  expect(countsOf(named)).toEqual({ ...NOTHING, pending: 1 });
  expect(countsOf(looking)).toEqual(NOTHING);
  expect(named.frames.some(({ type }) => type === "session_changed")).toBe(false);
  await using later = follow(scene, sid);
  await scene.clock.settle();
  expect(later.frames.find(({ type }) => type === "snapshot")).toMatchObject({
    sessions: { items: [] },
    pending: { items: [{ interactionId }] },
  });
  // Ada sees it, and others answer it; so does the gateway's owner.
  await using own = follow(scene, ada);
  await using owner = follow(scene, local);
  await scene.clock.settle();
  expect([own, owner].map(countsOf)).toEqual([ONE, ONE].map((all) => ({ ...all, forOthers: 1 })));
  // A person who cannot answer anything has nothing to answer.
  await scene.gateway.giveSession(ada, sessionId, { groups: [OPS] });
  await using viewer = follow(scene, vera);
  await scene.clock.settle();
  expect(countsOf(viewer)).toEqual({ ...ONE, forOthers: 1 });
  expect(await scene.approve(sid, interactionId)).toMatchObject({ status: "accepted" });
  // The winner and the answer are shown to the people who were asked.
  expect(named.frames.filter(({ type }) => type === "interaction_changed").at(-1)).toMatchObject({
    interaction: { interactionId, by: { person: "sid" } },
  });
  expect([own, named, viewer].map((one) => countsOf(one)?.forOthers)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("[R-15] people named by a policy still see it after a comment, a vote, and parking, in the next gateway too", async () => {
  const responders = { default: { who: [{ group: "sec" }], need: 2 } };
  const { scene, ada, sid } = await openScene({
    responders,
    transcripts: new Map(),
    holdTimeoutMs: Infinity,
    availabilityGraceMs: 0,
  });
  const sue = await scene.signIn("sue", { groups: ["sec"] });
  const { interactionId } = await scene.ask(ada);
  await scene.clock.advance(1000);
  await scene.gateway.addComment(ada, interactionId, { text: "The one of the orders." });
  await scene.approve(sid, interactionId);
  await using next = await scene.restart();
  await scene[Symbol.asyncDispose]();
  await using reader = follow(next, sue);
  await next.clock.settle();
  expect(countsOf(reader)).toEqual({ ...NOTHING, pending: 1 });
  expect(reader.frames.find(({ type }) => type === "snapshot")).toMatchObject({
    pending: { items: [{ interactionId, hold: "parked", votes: [{ person: "sid" }] }] },
  });
  expect(await next.approve(sue, interactionId)).toMatchObject({ status: "accepted" });
  expect(await next.now(interactionId)).toMatchObject({ votes: [{}, { person: "sue" }] });
});

test("[R-15] people named by a policy see it once it has expired, and are notified when its session is deleted", async () => {
  const responders = { default: { who: [{ group: "sec" }] } };
  const { scene, ada, sid } = await openScene({ responders });
  await using _ = scene;
  const { sessionId, interactionId } = await scene.ask(ada);
  await scene.clock.advance(11 * MINUTE_MS);
  expect(await scene.now(interactionId)).toMatchObject({ status: "expired" });
  await using named = follow(scene, sid);
  await scene.clock.settle();
  expect(countsOf(named)).toEqual({ ...NOTHING, late: 1 });
  const first = named.frames.find(({ type }) => type === "snapshot");
  expect(first).toMatchObject({ late: { items: [{ interactionId }] } });
  await scene.gateway.deleteSession(local, sessionId);
  await scene.clock.settle();
  expect(named.frames.slice(-2)).toEqual([
    { type: "interaction_left", interactionId },
    { type: "counts_changed", counts: NOTHING },
  ]);
  expect(tellsOf(named, "session_deleted")).toBe(false);
});

test("a step adds its people at its time, without any event", async () => {
  const steps = [{ who: [{ group: "ops" }], afterMs: 5 * MINUTE_MS }];
  const responders = { default: { who: [{ group: "sec" }], steps } };
  const { scene, ada, bob } = await openScene({ responders, holdTimeoutMs: Infinity });
  await using _ = scene;
  await scene.ask(ada);
  await using later = follow(scene, bob);
  await scene.clock.settle();
  expect(countsOf(later)).toEqual({ ...NOTHING, pending: 1, forOthers: 1 });
  await scene.clock.advance(5 * MINUTE_MS);
  expect(countsOf(later)).toEqual({ ...NOTHING, pending: 1 });
});

test("a handover counts for the new people, and not for the person who made it, in the next gateway too", async () => {
  const steps = [{ who: [{ group: "sec" }], afterMs: 5 * MINUTE_MS }];
  const responders = { default: { who: [{ group: "ops" }], steps } };
  const store = createMemoryStore();
  const { scene, ada, bob, sid } = await openScene({ responders, store, holdTimeoutMs: Infinity });
  const { interactionId } = await scene.ask(ada);
  await using readers = new AsyncDisposableStack();
  const later = readers.use(follow(scene, sid));
  const giver = readers.use(follow(scene, bob));
  await scene.clock.settle();
  expect(countsOf(later)).toEqual({ ...NOTHING, pending: 1, forOthers: 1 });
  expect(countsOf(giver)).toEqual({ ...NOTHING, pending: 1 });
  await scene.gateway.handOver(bob, interactionId, { to: { group: "sec" } });
  await scene.clock.settle();
  expect(countsOf(later)).toEqual({ ...NOTHING, pending: 1 });
  expect(countsOf(giver)).toEqual({ ...NOTHING, pending: 1, forOthers: 1 });
  const next = await scene.restart();
  const again = [sid, bob].map((by) => readers.use(follow(next, by)));
  await next.clock.settle();
  expect(again.map((one) => countsOf(one)?.forOthers)).toEqual([undefined, 1]);
  await readers.disposeAsync();
  await next[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

test("the next gateway has the same counts for each person", async () => {
  const responders = { tools: { Bash: { who: [{ group: "sec" }] } } };
  const store = createMemoryStore();
  const { scene, ada, bob, sid } = await openScene({ responders, store });
  const { sessionId } = await scene.ask(ada);
  await scene.gateway.createSession(ada, { agent: "scripted" });
  await scene.gateway.giveSession(ada, sessionId, { groups: [OPS] });
  const next = await scene.restart();
  await using readers = new AsyncDisposableStack();
  const followed = [ada, bob, sid].map((by) => readers.use(follow(next, by)));
  await next.clock.settle();
  const counts = followed.map((one) => countsOf(one));
  expect(counts.map((one) => [one?.sessions, (one?.pending ?? 0) + (one?.late ?? 0)])).toEqual([
    [2, 1],
    [1, 1],
    [0, 1],
  ]);
  expect(counts.map((one) => one?.forOthers)).toEqual([1, 1, undefined]);
  await readers.disposeAsync();
  await next[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

test("only people who see a session and may answer count as reachable", async () => {
  const { scene, ada, bob, vera } = await openScene({
    request: (id) => approval(id),
    onDisconnect: "deny",
    availabilityGraceMs: 1000,
  });
  await using _ = scene;
  const connect = (by: Caller): AbortController => {
    const here = new AbortController();
    scene.gateway.announceClient({ ...by, clientId: by.person }, here);
    return here;
  };
  const own = connect(ada);
  connect(bob);
  connect(vera);
  const { sessionId, interactionId } = await scene.ask(ada);
  const presenceOf = async (by: Caller): Promise<unknown> => {
    await using reader = new Reader((signal) =>
      scene.gateway.followSession(by, sessionId, { seq: 0 }, { signal }),
    );
    await scene.clock.settle();
    return reader.frames.find(({ type }) => type === "presence");
  };
  expect(await presenceOf(ada)).toMatchObject({
    clients: [{ clientId: "ada" }],
    answerable: true,
  });
  own.abort();
  expect(await presenceOf(ada)).toMatchObject({ clients: [], answerable: false });
  // Bob is there all the time, and cannot answer it.
  await scene.clock.advance(1000);
  expect(await scene.now(interactionId)).toMatchObject({ status: "withdrawn" });

  const again = connect(ada);
  const second = await scene.ask(ada);
  await scene.gateway.giveSession(ada, second.sessionId, { groups: [OPS] });
  again.abort();
  await scene.clock.advance(1000);
  expect(await scene.now(second.interactionId)).toMatchObject({ status: "pending" });
});

test("[R-15] connections in all sessions are shown only to their person and to owners", async () => {
  const { scene, ada, bob } = await openScene();
  await using _ = scene;
  const olga = await scene.signIn("olga", {}, "owner");
  for (const who of [ada, bob]) {
    const here = { signal: new AbortController().signal };
    scene.gateway.announceClient({ ...who, clientId: `page of ${who.person}` }, here);
  }
  await using readers = new AsyncDisposableStack();
  const followed = [ada, bob, olga].map((by) => readers.use(follow(scene, by)));
  await scene.clock.settle();
  const toldOf = ({ frames }: Reader<OverviewFrame>): unknown => {
    const presence = frames.findLast((frame) => frame.type === "presence");
    return presence && [presence.clients.map(({ clientId }) => clientId), presence.answerable];
  };
  expect(followed.map(toldOf)).toEqual([
    [["page of ada"], true],
    [["page of bob"], true],
    [["page of ada", "page of bob"], true],
  ]);
});

test("only its person and owners give a session to groups, and only of a known issuer", async () => {
  const { scene, ada, bob } = await openScene();
  await using _ = scene;
  const { gateway } = scene;
  const { sessionId } = await scene.ask(ada);
  await gateway.giveSession(ada, sessionId, { groups: [OPS, OPS] });
  await expect(gateway.giveSession(bob, sessionId, { groups: [OPS, SEC] })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const strange = [{ group: "ops", issuer: "https://other.example" }];
  await expect(gateway.giveSession(ada, sessionId, { groups: strange })).rejects.toMatchObject({
    code: "INVALID_REQUEST",
  });
  expect(await gateway.getSession(bob, sessionId)).toMatchObject({ givenTo: [OPS] });
  const events = await scene.events(sessionId);
  expect(events.at(-1)).toMatchObject({
    type: "session_updated",
    givenTo: [OPS],
    by: { person: "ada", personId: ada.personId },
  });
  const everybodys = await scene.createSession();
  await expect(gateway.giveSession(local, everybodys, { groups: [OPS] })).rejects.toMatchObject({
    code: "INVALID_REQUEST",
  });
  expect(await gateway.getSession(bob, everybodys)).toMatchObject({ sessionId: everybodys });
});
