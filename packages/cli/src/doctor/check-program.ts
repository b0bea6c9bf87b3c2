import { arch, platform, release } from "node:os";

import { VERSION } from "../version.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./look.ts";

/**
 * Reports the versions of the gateway, Node and the system. Node's version needs no check: an older Node runs no
 * command at all.
 */
export function checkProgram({ gateway }: Scene): Finding[] {
  const findings = new Findings("Program");
  const node = process.versions.node;
  const system = `${platform()} ${release()} ${arch()}`;
  findings.ok(`Holdpoint ${VERSION}, Node ${node}, ${system}`, {
    holdpoint: VERSION,
    node,
    system,
  });
  if (gateway.is === "running" && gateway.status.version !== VERSION) {
    findings.note(
      `The gateway that runs is Holdpoint ${gateway.status.version}.`,
      "Stop it and start it again.",
    );
  }
  return findings.list;
}
