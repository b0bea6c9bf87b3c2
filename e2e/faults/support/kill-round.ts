import { setTimeout } from "node:timers/promises";

import { until } from "../../support/api.ts";
import type { ClaudeCrowd, CrowdCommand, CrowdSession } from "./claude-crowd.ts";
import type { Deaths } from "./kill-model.ts";
import { killHard, type SceneProcess } from "./scene-processes.ts";

/** The state of a session when the killing begins. */
export type Moment =
  /** Its message is sent at the same time. */
  | "starting"
  /** A person is asked, and does not answer. */
  | "pending"
  /** The person approves at the same time. */
  | "answered";

export type KillTarget = "gateway" | "host" | "agent";

interface PlannedKill {
  readonly target: KillTarget;
  /** The session of the host or agent. */
  readonly session: number;
  readonly afterMs: number;
}

/** One round: every session gets a command to run, and then processes die at the given moments. */
export interface KillRound {
  readonly number: number;
  readonly sessions: readonly { readonly moment: Moment; readonly actsAfterMs: number }[];
  readonly kills: readonly PlannedKill[];
  /** Times after which gateways are killed during their start. */
  readonly killedStarts: readonly number[];
}

/** Everything known about one command after a round. */
export interface CommandFate extends CrowdCommand {
  readonly moment: Moment;
  /** The request of its agent before the killing began. */
  asked: { readonly interactionId: string; readonly toolCallId: string } | undefined;
  /** Its agent at that time. */
  agentPid: number | undefined;
  deaths: Deaths;
  /** The gateway acknowledged the message. */
  isSent: boolean;
  /** The gateway acknowledged the approval. */
  isAcknowledged: boolean;
  /** When the last of its gateway and host died, if both did. */
  unattendedAtMs: number | undefined;
  /** Its agent was waiting for a person when it became unattended. */
  isWaiting: boolean;
}

export interface RoundResult {
  readonly fates: readonly CommandFate[];
  readonly kills: number;
  readonly isGatewayDead: boolean;
}

/** Brings all sessions to their moments, then kills. Ends after the last kill, when every answer has arrived. */
export async function runKills(crowd: ClaudeCrowd, round: KillRound): Promise<RoundResult> {
  const fates = await Promise.all(
    round.sessions.map(({ moment }, index) =>
      createFate(crowd, crowd.sessions[index]!, { number: round.number, moment }),
    ),
  );
  await Promise.all(fates.map((fate) => prepare(crowd, fate)));
  const trees = findTrees(crowd);
  for (const fate of fates) fate.agentPid = trees.get(fate.session.folder)?.agent;
  const deaths = new Map<Death, number>();
  const acts = fates.map(async (fate, index) => {
    await setTimeout(round.sessions[index]!.actsAfterMs);
    await act(crowd, fate);
  });
  const killings = round.kills.map(async ({ target, session, afterMs }) => {
    await setTimeout(afterMs);
    const { folder } = fates[session]!.session;
    // A session that is starting gets its processes during this time.
    const tree = trees.get(folder) ?? findTrees(crowd).get(folder);
    const death = kill(crowd, target, tree);
    if (death !== undefined) deaths.set(death, performance.now());
  });
  await Promise.all([...acts, ...killings]);
  const gatewayDeadAtMs = deaths.get("gateway");
  if (gatewayDeadAtMs !== undefined) await crowd.buryGateway();
  for (const fate of fates) {
    const tree = trees.get(fate.session.folder) ?? {};
    const hostDeadAtMs = deaths.get(tree.host ?? "none");
    fate.deaths = {
      gateway: gatewayDeadAtMs !== undefined,
      host: hostDeadAtMs !== undefined,
      agent: deaths.has(tree.agent ?? "none"),
    };
    if (gatewayDeadAtMs !== undefined && hostDeadAtMs !== undefined) {
      fate.unattendedAtMs = Math.max(gatewayDeadAtMs, hostDeadAtMs);
    }
  }
  return {
    fates,
    kills: deaths.size,
    isGatewayDead: gatewayDeadAtMs !== undefined,
  };
}

/** The gateway, the process with that id, or nothing. */
type Death = "gateway" | "none" | number;

function kill(crowd: ClaudeCrowd, target: KillTarget, tree: Tree = {}): Death | undefined {
  if (target === "gateway") {
    crowd.killGateway();
    return "gateway";
  }
  const pid = tree[target];
  return pid !== undefined && killHard(pid) ? pid : undefined;
}

async function createFate(
  crowd: ClaudeCrowd,
  session: CrowdSession,
  { number, moment }: { readonly number: number; readonly moment: Moment },
): Promise<CommandFate> {
  return {
    session,
    name: `${session.label}-${number}`,
    fromSeq: (await crowd.api.session(session.sessionId)).lastSeq,
    moment,
    asked: undefined,
    agentPid: undefined,
    deaths: { gateway: false, host: false, agent: false },
    isSent: false,
    isAcknowledged: false,
    unattendedAtMs: undefined,
    isWaiting: moment === "pending",
  };
}

async function prepare(crowd: ClaudeCrowd, fate: CommandFate): Promise<void> {
  if (fate.moment === "starting") return;
  await send(crowd, fate);
  fate.asked = await until(async () => {
    const asked = await crowd.asked(fate);
    return asked?.status === "pending" && asked;
  }, `the request of ${fate.name}`).catch(async (error: unknown) => {
    const { status } = await crowd.api.session(fate.session.sessionId);
    const log = (await crowd.events(fate)).map(({ type }) => type).join(" ");
    throw new Error(`${fate.name} asked nothing: ${status}; the log: ${log}`, { cause: error });
  });
}

/** Acts as people do while processes die; the gateway may already be gone. */
async function act(crowd: ClaudeCrowd, fate: CommandFate): Promise<void> {
  try {
    if (fate.moment === "starting") await send(crowd, fate);
    if (fate.moment === "answered") await approve(crowd, fate);
  } catch {
    // It was not acknowledged, so it may or may not count.
  }
}

async function send(crowd: ClaudeCrowd, fate: CommandFate): Promise<void> {
  await crowd.api.send(fate.session.sessionId, `go ${fate.name}`, true);
  fate.isSent = true;
}

/** Approves the command, and returns the status of the answer. */
export async function approve(crowd: ClaudeCrowd, fate: CommandFate): Promise<number> {
  const asked = await crowd.asked(fate);
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
export function findTrees(crowd: ClaudeCrowd): Map<string, Tree> {
  const processes = crowd.processes();
  const hosts = new Map<number, SceneProcess>(
    processes.filter(({ kind }) => kind === "host").map((host) => [host.pid, host]),
  );
  const agents = processes.filter(({ kind }) => kind === "agent");
  return new Map(
    agents.map(({ pid, parent, cwd }) => [cwd, { agent: pid, host: hosts.get(parent)?.pid }]),
  );
}
