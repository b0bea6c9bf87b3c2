import type { Interaction, SessionEvent } from "@holdpoint/protocol";

import { until } from "../../support/api.ts";
import type { ClaudeCrowd } from "./claude-crowd.ts";
import { approve, type CommandFate, type RoundResult } from "./kill-round.ts";

/** How long something of a dead gateway and a dead host may still run. */
const GONE_WITHIN_MS = 2000;
/** A request that the agent sent before the kill may arrive after it. */
const ON_THE_WAY_MS = 150;

/**
 * Before the next gateway starts: what nobody owns any more is gone within 2 s and has called no model. Gives what is
 * broken, in words.
 */
export async function judgeUnattended(crowd: ClaudeCrowd, result: RoundResult): Promise<string[]> {
  const { fates, endedAtMs } = result;
  let left = findUnowned(crowd);
  while (left.length > 0 && performance.now() - endedAtMs < GONE_WITHIN_MS) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = findUnowned(crowd);
  }
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

/** Agents without a host, and what they started. */
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

/** With a gateway there: what was asked can be answered, and every answer comes to its end. */
export async function judgeFate(crowd: ClaudeCrowd, fate: CommandFate): Promise<string[]> {
  const { session, name } = fate;
  const broken: string[] = [];
  const asked = await crowd.asked(session, name);
  if (asked && (asked.status === "withdrawn" || asked.status === "expired")) {
    broken.push(`${name}: its request was ${asked.status} (${asked.closedReason})`);
  }
  if (
    asked &&
    !fate.isAcknowledged &&
    (asked.status === "pending" || asked.status === "orphaned")
  ) {
    if (crowd.runs(session, name) > 0) broken.push(`${name}: ran before anybody allowed it`);
    const status = await approve(crowd, fate);
    if (status !== 200) {
      broken.push(`${name}: an answer to its ${asked.status} request got ${status}`);
    }
  }
  const settled = await settle(crowd, fate).catch(() => undefined);
  if (!settled) return [...broken, `${name}: never came to rest`];
  return [...broken, ...(await judgeLog(crowd, fate))];
}

/** Waits until the session is idle and all that was answered is delivered. */
function settle(crowd: ClaudeCrowd, { session, name }: CommandFate): Promise<true> {
  return until(
    async () => {
      const { status } = await crowd.api.session(session.sessionId);
      if (status !== "idle") {
        // A command whose message was still queued asks only now.
        const [late] = await crowd.api.interactions(session.sessionId, "pending");
        if (late) await approveLate(crowd, late);
        return false;
      }
      const asked = await crowd.asked(session, name);
      return asked?.status !== "answered";
    },
    `${name} to come to rest`,
    20_000,
  );
}

async function approveLate(
  crowd: ClaudeCrowd,
  { interactionId, approval }: { interactionId: string; approval?: { digest: string } | undefined },
): Promise<void> {
  await crowd.api.respond(interactionId, { action: "approve", digest: approval?.digest ?? "" });
}

/** What the log and the person were told, beside what has run. */
async function judgeLog(crowd: ClaudeCrowd, fate: CommandFate): Promise<string[]> {
  const { session, name, moment } = fate;
  const events = await crowd.api.events(session.sessionId);
  const asked = await crowd.asked(session, name);
  const problems = [
    ...judgeMessages(fate, events),
    ...(asked ? judgeInteraction(fate, { asked, events, runs: crowd.runs(session, name) }) : []),
    ...(!asked && crowd.runs(session, name) > 0 ? ["it ran and was never asked"] : []),
  ];
  if (problems.length === 0) return [];
  const turn = events.filter(({ turnId }) => turnId === asked?.turnId);
  const history = turn.map(({ type }) => type).join(" ");
  return problems.map((problem) => `${name} (${moment}): ${problem}; its turn: ${history}`);
}

function judgeMessages(
  { name, isSent }: CommandFate,
  events: readonly SessionEvent[],
): readonly string[] {
  const said = events.filter(
    (event) => event.type === "user_message" && event.content === `go ${name}`,
  ).length;
  return [
    ...(events.some(({ seq }, index) => seq !== index + 1) ? ["the log has gaps"] : []),
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
