import { setTimeout } from "node:timers/promises";

import { until } from "../../support/api.ts";
import type { ClaudeCrowd, CrowdSession } from "./claude-crowd.ts";
import { killHard, type SceneProcess } from "./scene-processes.ts";

/** Where a session is when the killing begins. */
export type Moment =
  /** Its message is sent meanwhile. */
  | "starting"
  /** A person is asked, and does not answer. */
  | "pending"
  /** The person approves meanwhile. */
  | "answered";

export type KillTarget = "gateway" | "host" | "agent";

interface PlannedKill {
  readonly target: KillTarget;
  /** Of which session it is the host or the agent. */
  readonly session: number;
  readonly afterMs: number;
}

/** One round: every session gets a command to run, and then processes die at these moments. */
export interface KillRound {
  readonly number: number;
  readonly sessions: readonly { readonly moment: Moment; readonly actsAfterMs: number }[];
  readonly kills: readonly PlannedKill[];
  /** Gateways that are killed while they start, so long after their beginning. */
  readonly killedStarts: readonly number[];
}

/** What is known of one command after a round. */
export interface CommandFate {
  readonly session: CrowdSession;
  readonly name: string;
  readonly moment: Moment;
  /** The gateway said that it has the message. */
  isSent: boolean;
  /** The gateway said that the approval counts. */
  isAcknowledged: boolean;
  /** When the last of its gateway and its host died, if both did. */
  unattendedAtMs: number | undefined;
  /** Its agent waited for a person when it became unattended. */
  isWaiting: boolean;
}

export interface RoundResult {
  readonly fates: readonly CommandFate[];
  readonly kills: number;
  readonly isGatewayDead: boolean;
  readonly endedAtMs: number;
}

/** Brings all sessions to their moments, then kills. Ends when the last one is killed and every answer has come. */
export async function runKills(crowd: ClaudeCrowd, round: KillRound): Promise<RoundResult> {
  const fates = round.sessions.map(({ moment }, index) =>
    createFate(crowd.sessions[index]!, round.number, moment),
  );
  await Promise.all(fates.map((fate) => prepare(crowd, fate)));
  const trees = findTrees(crowd);
  const deaths = new Map<Death, number>();
  const acts = fates.map(async (fate, index) => {
    await setTimeout(round.sessions[index]!.actsAfterMs);
    await act(crowd, fate);
  });
  const killings = round.kills.map(async ({ target, session, afterMs }) => {
    await setTimeout(afterMs);
    const { folder } = fates[session]!.session;
    // A session that is starting gets its processes meanwhile.
    const tree = trees.get(folder) ?? findTrees(crowd).get(folder);
    const death = kill(crowd, target, tree);
    if (death !== undefined) deaths.set(death, performance.now());
  });
  await Promise.all([...acts, ...killings]);
  const gatewayDeadAtMs = deaths.get("gateway");
  if (gatewayDeadAtMs !== undefined) await crowd.buryGateway();
  for (const fate of fates) {
    const hostDeadAtMs = deaths.get(trees.get(fate.session.folder)?.host ?? "none");
    if (gatewayDeadAtMs !== undefined && hostDeadAtMs !== undefined) {
      fate.unattendedAtMs = Math.max(gatewayDeadAtMs, hostDeadAtMs);
    }
  }
  return {
    fates,
    kills: deaths.size,
    isGatewayDead: gatewayDeadAtMs !== undefined,
    endedAtMs: performance.now(),
  };
}

/** What died: the gateway, or the process of that id. */
type Death = "gateway" | "none" | number;

function kill(crowd: ClaudeCrowd, target: KillTarget, tree: Tree = {}): Death | undefined {
  if (target === "gateway") {
    crowd.killGateway();
    return "gateway";
  }
  const pid = tree[target];
  return pid !== undefined && killHard(pid) ? pid : undefined;
}

function createFate(session: CrowdSession, number: number, moment: Moment): CommandFate {
  return {
    session,
    name: `${session.label}-${number}`,
    moment,
    isSent: false,
    isAcknowledged: false,
    unattendedAtMs: undefined,
    isWaiting: moment === "pending",
  };
}

async function prepare(crowd: ClaudeCrowd, fate: CommandFate): Promise<void> {
  if (fate.moment === "starting") return;
  await send(crowd, fate);
  await until(async () => {
    const asked = await crowd.asked(fate.session, fate.name);
    return asked?.status === "pending";
  }, `the request of ${fate.name}`);
}

/** What persons do while processes die; the gateway may not be there any more. */
async function act(crowd: ClaudeCrowd, fate: CommandFate): Promise<void> {
  try {
    if (fate.moment === "starting") await send(crowd, fate);
    if (fate.moment === "answered") await approve(crowd, fate);
  } catch {
    // It was not acknowledged: it may count or not.
  }
}

async function send(crowd: ClaudeCrowd, fate: CommandFate): Promise<void> {
  await crowd.api.send(fate.session.sessionId, `go ${fate.name}`, true);
  fate.isSent = true;
}

/** Says yes to the command; the status of the answer. */
export async function approve(crowd: ClaudeCrowd, fate: CommandFate): Promise<number> {
  const asked = await crowd.asked(fate.session, fate.name);
  if (!asked) throw new Error(`${fate.name} has asked nothing.`);
  const { status } = await crowd.api.respond(asked.interactionId, {
    action: "approve",
    digest: asked.approval!.digest,
  });
  if (status === 200) fate.isAcknowledged = true;
  return status;
}

type Tree = { readonly [TPart in "host" | "agent"]?: number | undefined };

/** The host and the agent of each folder of a session. */
function findTrees(crowd: ClaudeCrowd): Map<string, Tree> {
  const processes = crowd.processes();
  const hosts = new Map<number, SceneProcess>(
    processes.filter(({ kind }) => kind === "host").map((host) => [host.pid, host]),
  );
  const agents = processes.filter(({ kind }) => kind === "agent");
  return new Map(
    agents.map(({ pid, parent, cwd }) => [cwd, { agent: pid, host: hosts.get(parent)?.pid }]),
  );
}
