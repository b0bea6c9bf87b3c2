import { type HostReport, inspectHosts } from "@holdpoint/agents";

import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { quote } from "./words.ts";

/** A starting host has a socket before it has a record. */
const BEGINNING_MS = 60_000;
const NEXT_START = "The next start of the gateway removes it.";

/** Checks the data folder's agent hosts, their agents, and leftover files. */
export function checkHosts(scene: Scene): Finding[] {
  const {
    settings: { dataDir },
    folder,
    store,
    gateway,
    nowMs,
  } = scene;
  const findings = new Findings("Agent hosts");
  if (folder.is !== "ours" || process.platform === "win32") return findings.list;
  const { hosts, strays } = inspectHosts(dataDir);
  const isServed = store?.isInUse === true || gateway.is === "running";
  const stale = strays.filter(({ changedAtMs }) => !isServed || nowMs - changedAtMs > BEGINNING_MS);
  for (const host of hosts) describeHost(findings, host, isServed);
  for (const { path } of stale) {
    findings.problem(`${path} is a socket that no agent host serves.`, NEXT_START, { path });
  }
  if (hosts.length + stale.length === 0) findings.ok("none");
  return findings.list;
}

function describeHost(findings: Findings, host: HostReport, isServed: boolean): void {
  const { path, state, sessionId = "", hostPid = 0, agentPid = 0 } = host;
  const whose = `process ${hostPid}, agent ${agentPid}, session ${quote(sessionId)}`;
  const facts = { ...host };
  switch (state) {
    case "running":
      if (isServed) findings.ok(`${whose}: attached to the gateway`, facts);
      else {
        findings.note(
          `${whose}: runs without a gateway, and will soon end or be held.`,
          undefined,
          facts,
        );
      }
      return;
    case "held":
      findings.note(
        `${whose}: held and frozen until a gateway attaches.`,
        "Start the gateway within ten minutes after the last one ended.",
        facts,
      );
      return;
    case "ending":
      findings.note(`${whose}: the agent has ended, and its host will end soon.`, undefined, facts);
      return;
    case "hostless":
      findings.problem(
        `${whose}: the host is dead, but its agent still runs.`,
        `Start the gateway, which ends it, or run: kill -9 ${agentPid}`,
        facts,
      );
      return;
    case "left":
      findings.problem(
        `${path} is left over: the host ${hostPid} and its agent ${agentPid} are dead.`,
        NEXT_START,
        facts,
      );
      return;
    case "other_version":
      findings.problem(
        `${whose}: the host is of another version.`,
        "The next start of the gateway ends it; its requests stay open.",
        facts,
      );
      return;
    case "unreadable":
      findings.problem(`${path} is not a record of an agent host.`, NEXT_START, facts);
  }
}
