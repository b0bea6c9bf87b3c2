import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { until } from "../../e2e/support/api.ts";
import type { Engine } from "./engine.ts";

/** The environment of a trial. */
export interface Place {
  readonly engine: Engine;
  /** Removed afterwards. */
  readonly folder: string;
  /** Prints a confirmed behaviour. */
  readonly print: (line: string) => void;
}

const COMMAND_MS = 5 * 60_000;

/** Throws the sentence when the condition does not hold. */
export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

/** Runs commands as a person would in that folder, and returns their output. Throws when one fails. */
export async function runCommands(
  { env }: Engine,
  commands: string,
  cwd = process.cwd(),
): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-ec", commands], {
    env,
    cwd,
    timeout: COMMAND_MS,
  });
  return stdout;
}

/** The commands of a block of a guide, each as one line. */
export function toCommands(block: string): readonly string[] {
  return block
    .replaceAll(/\\\n\s*/gu, "")
    .trim()
    .split("\n");
}

/** Waits until Docker reports that a container is healthy. */
export async function untilHealthy(engine: Engine, container: string): Promise<void> {
  const format = "--format={{.State.Health.Status}}";
  const isHealthy = async (): Promise<boolean> =>
    (await engine.run("inspect", format, container)) === "healthy";
  await until(isHealthy, `${container} to be healthy`);
}

/** Waits until a gateway there can answer. */
export async function untilReady(url: string): Promise<void> {
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok;
  await until(isReady, `a gateway at ${url}`);
}
