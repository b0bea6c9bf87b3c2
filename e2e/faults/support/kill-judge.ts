import type { Interaction, SessionEvent } from "@holdpoint/protocol";

import { until } from "../../support/api.ts";
import type { ClaudeCrowd } from "./claude-crowd.ts";
import { deliveriesAfter, type Place, placeOf, placesAfter } from "./kill-model.ts";
import { approve, type CommandFate, findTrees, type RoundResult } from "./kill-round.ts";

/** How long processes of a dead gateway and a dead host may still run. */
const GONE_WITHIN_MS = 2000;
/** How long a session may take to become idle on a machine that is busy with other tests. */
const REST_MS = 60_000;
/** How long a gateway may take to inspect what the previous one left. */
const LOOK_MS = 20_000;
/** A request that the agent sent before the kill may arrive after it. */
const ON_THE_WAY_MS = 150;

/**
 * Before the next gateway starts: processes without an owner are gone within 2 s and have called no model. Returns
 * the violations in words.
 */
export async function judgeUnattended(crowd: ClaudeCrowd, result: RoundResult): Promise<string[]> {
  const { fates } = result;
  const left = await untilNone(() => findUnowned(crowd));
  const untilMs = performance.now();
  const calls = fates.flatMap(({ name, session, unattendedAtMs, isWaiting }) => {
    if (unattendedAtMs === undefined) return [];
    const fromMs = unattendedAtMs + (isWaiting ? ON_THE_WAY_MS : GONE_WITHIN_MS);
    const count = crowd.calls.filter(
      ({ label, atMs }) => label === session.label && atMs > fromMs && atMs < untilMs,
    ).length;
    return count === 0 ? [] : [`${name}: ${count} model calls with gateway and host dead`];
  });
  return [...left.map((what) => `${what} runs with nobody there`), ...calls];
}

/** Agents without a host, and their child processes. */
function findUnowned(crowd: ClaudeCrowd): string[] {
  const processes = crowd.processes();
  const parents = new Map(processes.map((one) => [one.pid, one]));
  return processes
    .filter(({ kind }) => kind === "agent" || kind === "other")
    .filter((one) => {
      let owner = parents.get(one.parent);
      while (owner && owner.kind !== "host" && owner.kind !== "gateway") {
        owner = parents.get(owner.parent);
      }
      return owner === undefined;
    })
    .map(({ kind, pid, cwd }) => `${kind} ${pid} in ${cwd}`);
}

/** With a running gateway: open requests can be answered, and every answer reaches its final state. */
export async function judgeFate(crowd: ClaudeCrowd, fate: CommandFate): Promise<string[]> {
  const { name } = fate;
  const broken = await judgePlace(crowd, fate);
  const asked = await crowd.asked(fate);
  const place = asked && placeOf(asked);
  if (asked && (asked.status === "withdrawn" || asked.status === "expired")) {
    broken.push(`${name}: its request was ${asked.status} (${asked.closedReason})`);
  }
  if (asked && place && !fate.isAcknowledged) {
    if (crowd.runs(fate) > 0) broken.push(`${name}: ran before anybody allowed it`);
    const status = await approve(crowd, fate);
    if (status !== 200) broken.push(`${name}: an answer to its ${place} request got ${status}`);
    // A second answer must not count, even while the first one is on its way.
    const second = await crowd.api.respond(asked.interactionId, { action: "deny" });
    if (second.status !== 409) broken.push(`${name}: a second answer got ${second.status}`);
  }
  const settled = await settle(crowd, fate).catch(() => undefined);
  if (!settled) return [...broken, `${name}: never came to rest`];
  return [...broken, ...(await judgeLog(crowd, fate, place))];
}

/** A request from before the kill is the same request of the same call, if the model has it. */
async function judgePlace(crowd: ClaudeCrowd, fate: CommandFate): Promise<string[]> {
  const { name, moment, asked: before, agentPid, deaths } = fate;
  if (!before) return [];
  const now = await crowd.asked(fate);
  const isSame =
    now?.interactionId === before.interactionId && now.toolCallId === before.toolCallId;
  if (!isSame) return [`${name}: its request ${before.interactionId} is ${now?.interactionId}`];
  if (moment !== "pending") return [];
  const places = placesAfter(deaths, { isRecorded: crowd.hasRecordOf(before.toolCallId) });
  const place = await until(
    async () => {
      const found = placeOf(await crowd.api.interaction(before.interactionId));
      return found !== undefined && places.includes(found) && found;
    },
    `${name} to be ${places.join(" or ")}`,
    LOOK_MS,
  ).catch(() => undefined);
  if (place === undefined) {
    const { status, hold } = await crowd.api.interaction(before.interactionId);
    return [`${name}: its request is ${status} (${hold}), not ${places.join(" or ")}`];
  }
  const agent = findTrees(crowd).get(fate.session.folder)?.agent;
  const isStillHeld = placeOf(await crowd.api.interaction(before.interactionId)) === "held";
  const isAnother = place === "held" && isStillHeld && agent !== agentPid;
  return isAnother ? [`${name}: agent ${agentPid} waited, and ${agent} does now`] : [];
}

/** Waits until the session is idle and all answers are delivered. */
function settle(crowd: ClaudeCrowd, fate: CommandFate): Promise<true> {
  const { session, name } = fate;
  return until(
    async () => {
      const { status } = await crowd.api.session(session.sessionId);
      if (status !== "idle") {
        // A command whose message was still queued asks only later.
        const [late] = await crowd.api.interactions(session.sessionId, "pending");
        if (late) await approveLate(crowd, late);
        return false;
      }
      const asked = await crowd.asked(fate);
      return asked?.status !== "answered";
    },
    `${name} to come to rest`,
    REST_MS,
  );
}

async function approveLate(
  crowd: ClaudeCrowd,
  { interactionId, approval }: { interactionId: string; approval?: { digest: string } | undefined },
): Promise<void> {
  await crowd.api.respond(interactionId, { action: "approve", digest: approval?.digest ?? "" });
}

/**
 * Compares the log and the acknowledgements with the commands that ran. `place`: where the request was when it was
 * answered.
 */
async function judgeLog(
  crowd: ClaudeCrowd,
  fate: CommandFate,
  place: Place | undefined,
): Promise<string[]> {
  const { name, moment } = fate;
  const events = await crowd.events(fate);
  const asked = await crowd.asked(fate);
  const runs = crowd.runs(fate);
  const problems = [
    ...judgeMessages(fate, events),
    ...(asked ? judgeInteraction(fate, { asked, events, runs }) : []),
    ...(asked && place ? judgeAnswered(place, { asked, events, runs }) : []),
    ...(asked && fate.moment === "answered" && !place ? judgeDelivery(fate, asked) : []),
    ...(!asked && runs > 0 ? ["it ran and was never asked"] : []),
  ];
  if (problems.length === 0) return [];
  const history = events.map(({ type }) => type).join(" ");
  return problems.map((problem) => `${name} (${moment}): ${problem}; the log: ${history}`);
}

/** An answer to a request that is held or parked reaches the same call of the same agent, which runs it once. */
function judgeAnswered(place: Place, { asked, events, runs }: Asked): readonly string[] {
  const how = place === "orphaned" ? "user_message" : "resumed";
  const told = events.flatMap((event) => {
    const isAbout = event.type === "tool_call" || event.type === "tool_result";
    return isAbout && event.toolCallId === asked.toolCallId ? [event.type] : [];
  });
  const calls = told.filter((type) => type === "tool_call").length;
  const results = told.length - calls;
  return [
    ...(asked.how === how ? [] : [`it was ${place}, and its answer went as ${asked.how}`]),
    ...(place === "orphaned" || runs === 1 ? [] : [`it was ${place}, and ran ${runs} times`]),
    ...(calls === 1 ? [] : [`its call is told ${calls} times`]),
    ...(place === "orphaned" || results === 1 ? [] : [`its result is told ${results} times`]),
  ];
}

function judgeDelivery({ deaths }: CommandFate, { how }: Interaction): string[] {
  const ways = deliveriesAfter(deaths);
  return how !== undefined && ways.includes(how)
    ? []
    : [`its answer went as ${how}, not as ${ways.join(" or ")}`];
}

function judgeMessages(
  { name, isSent, fromSeq }: CommandFate,
  events: readonly SessionEvent[],
): readonly string[] {
  const said = events.filter(
    (event) => event.type === "user_message" && event.content === `go ${name}`,
  ).length;
  return [
    ...(events.some(({ seq }, index) => seq !== fromSeq + index + 1) ? ["the log has gaps"] : []),
    ...(said > 1 || (isSent && said === 0) ? [`its message is there ${said} times`] : []),
  ];
}

interface Asked {
  readonly asked: Interaction;
  readonly events: readonly SessionEvent[];
  readonly runs: number;
}

function judgeInteraction(
  { isAcknowledged }: CommandFate,
  { asked, events, runs }: Asked,
): readonly string[] {
  const { interactionId, status, how, response, failure } = asked;
  const own = events.filter(
    (event) => "interactionId" in event && event.interactionId === interactionId,
  );
  const count = (type: string) => own.filter((event) => event.type === type).length;
  const told = own.filter((event) => event.type === "user_message");
  const isDelivered = status === "delivered" && response?.action === "approve";
  const isUnsaid = how === "resumed" && runs === 0 && failure === undefined;
  const isDenied = told.some(({ content }) => /nothing has run/iu.test(content));
  return [
    ...(runs > 1 ? [`it ran ${runs} times`] : []),
    ...(count("interaction_response") > 1 ? ["it has two responses"] : []),
    ...(count("interaction_delivered") > 1 ? ["it was delivered twice"] : []),
    ...(isAcknowledged && !isDelivered ? [`it was acknowledged, and is ${status}`] : []),
    ...(isAcknowledged && isUnsaid ? ["it was delivered and never ran"] : []),
    ...(runs > 0 && isDenied ? ["it ran, and its agent was told that nothing has run"] : []),
    ...(how === "user_message" && told.length === 0 ? ["its message is not there"] : []),
  ];
}

/** A moment after a round, each session has at most one agent, each host has one agent, and nothing else is left. */
export async function judgeLeft(crowd: ClaudeCrowd): Promise<string[]> {
  const look = (): string[] => {
    const processes = crowd.processes();
    const agents = processes.filter(({ kind }) => kind === "agent");
    const parents = new Set(agents.map(({ parent }) => parent));
    const hosts = processes.filter(({ kind, pid }) => kind === "host" && !parents.has(pid));
    const byFolder = [...Map.groupBy(agents, ({ cwd }) => cwd)];
    return [
      ...hosts.map(({ pid }) => `host ${pid} is left without an agent`),
      ...byFolder.flatMap(([cwd, { length }]) =>
        length > 1 ? [`${length} agents are left in ${cwd}`] : [],
      ),
      ...findUnowned(crowd).map((what) => `${what} is left after the round`),
    ];
  };
  return untilNone(look);
}

/** After the gateway was asked to stop, no process is left. */
export async function judgeStopped(crowd: ClaudeCrowd): Promise<string[]> {
  const code = await crowd.stopGateway();
  const left = await untilNone(() =>
    crowd.processes().map(({ kind, pid }) => `${kind} ${pid} is left after the stop`),
  );
  return code === 0 ? left : [`the gateway stopped with ${code}`, ...left];
}

/** Violations that remain after the time that processes may take to end. */
async function untilNone(look: () => string[]): Promise<string[]> {
  const untilMs = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const found = look();
    if (found.length === 0 || performance.now() > untilMs) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
