import { checkAgents } from "./check-agents.ts";
import { checkClock } from "./check-clock.ts";
import { checkDataFolder } from "./check-data-folder.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDisk } from "./check-disk.ts";
import { checkGateway } from "./check-gateway.ts";
import { checkHosts } from "./check-hosts.ts";
import { checkPeople } from "./check-people.ts";
import { checkProgram } from "./check-program.ts";
import { checkSettings } from "./check-settings.ts";
import { checkTerminals } from "./check-terminals.ts";
import { checkTools } from "./check-tools.ts";
import { checkWaiting } from "./check-waiting.ts";
import { type Finding, Findings } from "./finding.ts";
import { type Diagnosis, toDiagnosis } from "./print-diagnosis.ts";
import { type DoctorOptions, readScene, type Scene } from "./read-scene.ts";
import { reasonOf } from "./words.ts";

type Check = (scene: Scene) => readonly Finding[] | Promise<readonly Finding[]>;

/** The checks, in the order of their lines. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["Program", checkProgram],
  ["Settings", checkSettings],
  ["Data folder", checkDataFolder],
  ["Disk", checkDisk],
  ["Database", checkDatabase],
  ["Gateway", checkGateway],
  ["Agent hosts", checkHosts],
  ["Waiting", checkWaiting],
  ["Clock", checkClock],
  ["People", checkPeople],
  ["Claude", checkAgents],
  ["Terminals", checkTerminals],
  ["Tools", checkTools],
];

/** Checks the machine as a gateway would find it, whether or not one is running. Changes nothing. */
export async function diagnose(options: DoctorOptions): Promise<Diagnosis> {
  const scene = await readScene(options);
  const found = await Promise.all(CHECKS.map(([name, check]) => run(name, () => check(scene))));
  return toDiagnosis(found.flat());
}

/** Runs a check. A failing check becomes a finding. */
async function run(name: string, check: () => ReturnType<Check>): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error: unknown) {
    const findings = new Findings(name);
    findings.problem(
      `cannot be checked (${reasonOf(error)}).`,
      "Check that this user may read it.",
    );
    return findings.list;
  }
}
