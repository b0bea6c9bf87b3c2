import { once } from "node:events";

import { startProgram } from "@holdpoint/agents";
import type { Clock } from "@holdpoint/engine";

import { REACHED } from "../terminals/hook-program.ts";

const TIMES = 20;

/** How long the hook took to reach the gateway with a request, in milliseconds. */
export interface HookTime {
  readonly middle: number;
  readonly p95: number;
}

/**
 * Runs the hook 20 times. `undefined`: it did not reach a gateway. One miss is tolerated, as on a machine that is
 * briefly busy: the hook gives up after 300 ms.
 */
export async function tryHook(
  program: string,
  clock: Pick<Clock, "monotonic">,
): Promise<HookTime | undefined> {
  const took: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const start = clock.monotonic();
    took.push((await reaches(program)) ? clock.monotonic() - start : Infinity);
    if (took.filter((ms) => ms === Infinity).length > 1) return undefined;
  }
  const sorted = took.toSorted((left, right) => left - right);
  return { middle: sorted[TIMES / 2] ?? 0, p95: sorted[Math.ceil(TIMES * 0.95) - 1] ?? 0 };
}

/** Runs the hook as an agent does, without a request to a person. */
async function reaches(program: string): Promise<boolean> {
  const { ASKED_BY_ITS_HOST: _, ...env } = process.env;
  const child = startProgram(program, ["try"], { env, stdio: ["pipe", "pipe", "ignore"] });
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stdin?.on("error", () => undefined).end("{}");
  const closed = once(child, "close").catch(() => undefined);
  await closed;
  return said === REACHED;
}
