import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { inWords } from "./words.ts";

/** Smaller differences are not a jump: clocks are adjusted in small steps all the time. */
const JUMP_MS = 60_000;

/** Checks whether the wall clock was set, compared with the newest change in the log, and while the gateway ran. */
export function checkClock({ store, gateway, nowMs }: Scene): Finding[] {
  const findings = new Findings("Clock");
  const aheadMs = (store?.newestAtMs ?? 0) - nowMs;
  const jumpMs =
    gateway.is === "running" ? nowMs - gateway.status.startedAtMs - gateway.status.runningMs : 0;
  const now = new Date(nowMs).toISOString();
  if (aheadMs > JUMP_MS) {
    findings.problem(
      `it says ${now}, and the newest change in the database is ${inWords(aheadMs)} later.`,
      "Set the clock of this machine: deadlines and sign-ins depend on it.",
      { now, aheadMs },
    );
  }
  if (Math.abs(jumpMs) > JUMP_MS) {
    const way = jumpMs > 0 ? "forward" : "back";
    findings.note(
      `it was set ${way} by ${inWords(jumpMs)} while the gateway ran.`,
      "Check that it is right; a machine that slept can cause this too.",
      { now, jumpMs },
    );
  }
  if (findings.list.length === 0) findings.ok(now, { now });
  return findings.list;
}
