/*
 * `holdpoint ask` in a shell script, under `kill -9` of the gateway and of the script at random moments: before the
 * ask has arrived, while a person is asked, and while the answer is on its way. Like a job that is retried, the
 * script is run again with the same key until it ends normally.
 *
 * Checked after each cycle: there is one ask; it has one answer, the one that was acknowledged to the person; and the
 * script has ended with exactly that answer.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSeededRandom } from "@holdpoint/engine/testing";
import type { Interaction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { Api, until } from "../support/api.ts";
import { commandOf, type GatewayProcess, startGateway } from "../support/gateway-process.ts";

const CYCLES = Number(process.env["CAMPAIGN_CASES"] ?? 4);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);
const WITHIN_MS = 900;

const SCRIPT = `#!/bin/sh
# Prints what it does after the person has decided.
if "$@"; then echo deployed; else code=$?; echo "not deployed: $code"; exit $code; fi
`;

interface Scene {
  readonly dataDir: string;
  readonly script: string;
  gateway: GatewayProcess;
  /** The running script, with all of its child processes. */
  running: ChildProcess | undefined;
  /** The outcome of the script, once it was not killed. */
  ended: string | undefined;
}

function killScript({ running }: Scene): void {
  try {
    if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/**
 * Runs the script again and again until a run is not killed. `kills`: the times after which the first runs are
 * killed.
 */
async function runScript(scene: Scene, name: string, kills: readonly number[]) {
  const command = commandOf(["ask", "--approve", name, "--key", name, "--data-dir", scene.dataDir]);
  const waits = [...kills];
  scene.ended = undefined;
  for (;;) {
    const child = spawn("sh", [scene.script, ...command], {
      detached: true, // so that all of it can be killed
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    scene.running = child;
    const killAfterMs = waits.shift();
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => killScript(scene), killAfterMs);
    const [code, signal] = (await once(child, "close")) as [number | null, string | null];
    clearTimeout(timer);
    scene.running = undefined;
    // The gateway was not there for long: the job is tried again.
    if (signal === null && code !== 4) {
      scene.ended = `The script ended with ${code}. ${said}`;
      return { code, output };
    }
  }
}

async function restartAfter(scene: Scene, waits: readonly number[]): Promise<void> {
  for (const waitMs of waits) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await scene.gateway.stop("SIGKILL");
    scene.gateway = await startGateway({ dataDir: scene.dataDir });
  }
}

/** A person who answers after a while, and again until the answer is acknowledged. */
async function answer(scene: Scene, name: string, action: "approve" | "deny", waitMs: number) {
  const asked = await find(scene, name);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const { interactionId, approval } = asked;
  const body = { action, digest: approval?.digest, idempotencyKey: `person ${name}` } as const;
  await until(async () => {
    const answered = await new Api(scene.gateway.url)
      .respond(interactionId, action === "deny" ? { action } : body)
      .catch(() => undefined);
    return answered?.status === 200 || answered?.status === 409;
  }, "an answer that counts");
}

function find(scene: Scene, name: string): Promise<Interaction> {
  return until(async () => {
    const { ended } = scene;
    const all = await listAll(scene).catch(() => undefined);
    const asked = all?.find(({ prompt }) => prompt === name);
    // The script ended before this check, and no longer asks.
    if (all && !asked && ended !== undefined) throw new Error(ended);
    return asked;
  }, name);
}

async function listAll(scene: Scene): Promise<Interaction[]> {
  const path =
    "/interactions?status=pending,answered,delivered,withdrawn,expired,orphaned&limit=1000";
  return (await new Api(scene.gateway.url).call<{ items: Interaction[] }>("GET", path)).body.items;
}

test(
  `[R-1] [R-2] [R-4] [R-5] in ${CYCLES} cycles of kills each ask of a script has one answer, and none is lost`,
  { timeout: 60_000 + CYCLES * 20_000 },
  async ({ annotate }) => {
    const random = createSeededRandom(SEED);
    const moments = (most: number) =>
      Array.from({ length: Math.floor(random() * (most + 1)) }, () => random() * WITHIN_MS);
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-ask-kills-"));
    const script = join(folder, "deploy.sh");
    const dataDir = join(folder, "data");
    await writeFile(script, SCRIPT);
    const scene: Scene = {
      dataDir,
      script,
      gateway: await startGateway({ dataDir }),
      running: undefined,
      ended: undefined,
    };
    let kills = 0;
    try {
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        const name = `Deploy ${SEED}-${cycle}?`;
        const action = random() < 0.5 ? "approve" : "deny";
        const [ofScript, ofGateway] = [moments(3), moments(2)];
        const [{ code, output }] = await Promise.all([
          runScript(scene, name, ofScript),
          restartAfter(scene, ofGateway),
          answer(scene, name, action, random() * WITHIN_MS),
        ]);
        kills += ofScript.length + ofGateway.length;
        const asked = (await listAll(scene)).filter(({ prompt }) => prompt === name);
        const wanted = action === "approve" ? [0, "deployed\n"] : [1, "not deployed: 1\n"];
        expect([code, output.split("\n").slice(1).join("\n")]).toEqual(wanted);
        expect(asked).toHaveLength(1);
        expect(asked[0]).toMatchObject({ status: "delivered", response: { action } });
      }
    } finally {
      killScript(scene);
      await scene.gateway[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
    await annotate(`${CYCLES} asks under ${kills} kills, from the seed ${SEED}`, "cases");
  },
);
