import { access, constants } from "node:fs/promises";
import { arch, platform, release } from "node:os";

import { VERSION } from "../version.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { reasonOf } from "./words.ts";

/**
 * Reports the versions of the gateway, Node and the system. Node's version needs no check: an older Node runs no
 * command at all.
 */
export async function checkProgram({ gateway, packageFiles }: Scene): Promise<Finding[]> {
  const findings = new Findings("Program");
  const node = process.versions.node;
  const system = `${platform()} ${release()} ${arch()}`;
  findings.ok(`Holdpoint ${VERSION}, Node ${node}, ${system}`, {
    holdpoint: VERSION,
    node,
    system,
  });
  for (const path of packageFiles) {
    const reason = await access(path, constants.R_OK).then(() => undefined, reasonOf);
    if (reason === undefined) continue;
    findings.problem(
      `${path} cannot be read (${reason}): the installation is incomplete.`,
      "Install Holdpoint again, and restart the gateway.",
      { path },
    );
  }
  if (gateway.is === "running" && gateway.status.version !== VERSION) {
    findings.note(
      `The gateway that runs is Holdpoint ${gateway.status.version}.`,
      "Stop it and start it again.",
    );
  }
  return findings.list;
}
