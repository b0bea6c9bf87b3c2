import {
  claudeEnvironment,
  createClaudeAdapter,
  isolatedEnvironment,
  type Isolation,
  isUntestedSdk,
  readSdkVersion,
  TESTED_SDK,
} from "@holdpoint/agents";
import { createSystemClock, createSystemIds } from "@holdpoint/engine";

import { openIsolation } from "../compose/open-isolation.ts";
import { secretFiles } from "../config/secret-files.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { reasonOf } from "./words.ts";

const DESCRIBE_LIMIT_MS = 10_000;

/** Checks isolation, SDK and login, and the names of the variables that agents get. */
export async function checkAgents(scene: Scene): Promise<Finding[]> {
  const { isolation, findings } = await tryIsolation(scene);
  return [...findings, ...(await checkClaude(scene, isolation)), ...ofGateway(scene)];
}

async function tryIsolation(
  scene: Scene,
): Promise<{ readonly isolation?: Isolation; readonly findings: readonly Finding[] }> {
  const findings = new Findings("Isolation");
  const { settings, env, configDir, folder } = scene;
  const { isolate: wanted, dataDir, cwd } = settings;
  if (wanted === undefined) {
    findings.ok(
      "none: agents and their programs run with all of your rights (--isolate, guides/isolation.md)",
      { wanted: "none" },
    );
    return { findings: findings.list };
  }
  if (folder.is !== "ours") {
    findings.note(`${wanted}: cannot be tested without a data folder.`, undefined, { wanted });
    return { findings: findings.list };
  }
  try {
    const isolation = await openIsolation({
      wanted,
      dataDir,
      cwd,
      env,
      configDir,
      secretFiles: secretFiles(settings, env),
    });
    findings.ok(`${wanted}: tested, and it works`, { wanted });
    if (wanted === "namespace" && process.getuid?.() === 0) {
      findings.note(
        "Agents of a gateway started by root run as root, and root in a namespace still owns the disks.",
        "Start the gateway as another user (guides/isolation.md).",
      );
    }
    return { isolation, findings: findings.list };
  } catch (error: unknown) {
    findings.problem(reasonOf(error), "The gateway does not start before this works.", { wanted });
    return { findings: findings.list };
  }
}

async function checkClaude(
  { settings, env }: Scene,
  isolation: Isolation | undefined,
): Promise<Finding[]> {
  const findings = new Findings("Claude");
  const { agentEnvironment: environmentNames = [] } = settings;
  const own = isolatedEnvironment(env, isolation);
  const seams = { clock: createSystemClock(), ids: createSystemIds() };
  await using adapter = createClaudeAdapter({ ...seams, env: own, environmentNames });
  const signal = AbortSignal.timeout(DESCRIBE_LIMIT_MS);
  const { available, unavailableReason = "The agent cannot be started." } = await adapter.describe({
    signal,
  });
  const sdk = readSdkVersion();
  const facts = { available, ...(sdk !== undefined && { sdk }) };
  if (available) findings.ok(`can be started with the SDK ${sdk ?? "(unknown version)"}`, facts);
  else if (settings.agent === "claude") {
    findings.problem(unavailableReason, "It is the agent that your settings name.", facts);
  } else findings.note(unavailableReason, undefined, facts);
  if (sdk !== undefined && isUntestedSdk(sdk)) {
    findings.note(
      `The SDK ${sdk} is newer than the tested ${TESTED_SDK}.`,
      `If Claude fails here and not with the tested one, install that: npm install @anthropic-ai/claude-agent-sdk@${TESTED_SDK}`,
    );
  }
  const names = Object.keys(claudeEnvironment(own, { environmentNames })).toSorted();
  const environment = new Findings("Environment");
  environment.ok(`agents get ${names.join(", ")}`, { names });
  return [...findings.list, ...environment.list];
}

/** Reports the running gateway's agents, since it may have another environment than this command. */
function ofGateway({ gateway }: Scene): Finding[] {
  const findings = new Findings("Agents");
  if (gateway.is !== "running") return findings.list;
  const { agents } = gateway.status;
  const ready = agents.filter(({ available }) => available).map(({ label }) => label);
  findings.ok(`the gateway can start ${ready.join(", ")}`, { agents });
  for (const { label, available, unavailableReason = "The agent cannot be started." } of agents) {
    if (!available) findings.note(`the gateway has no ${label}: ${unavailableReason}`);
  }
  return findings.list;
}
