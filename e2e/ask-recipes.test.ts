import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import type { Interaction } from "@holdpoint/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Api, until } from "./support/api.ts";
import { commandOf, type GatewayProcess, startGateway } from "./support/gateway-process.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const RECIPES = join(ROOT, "guides/examples/recipes");

let gateway: GatewayProcess;
let api: Api;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-recipes-"));
  gateway = await startGateway();
  api = new Api(gateway.url);
  const command = commandOf([]).map((word) => `'${word}'`);
  await mkdir(join(folder, "bin"));
  const program = join(folder, "bin", "holdpoint");
  await writeFile(program, `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  await chmod(program, 0o755);
  const { body } = await api.call<{ token: string }>("POST", "/agent-tokens", { label: "CI" });
  env = {
    ...(process.env as Record<string, string>),
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    HOLDPOINT_URL: gateway.url,
    HOLDPOINT_AGENT_TOKEN: body.token,
    CI_COMMIT: "abc123",
    CI_JOB: "deploy",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  };
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function run(command: string, args: readonly string[], cwd = folder) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

async function answer(prompt: RegExp, action: "approve" | "deny"): Promise<Interaction> {
  const asked = await until(async () => {
    const { body } = await api.call<{ items: Interaction[] }>("GET", "/interactions");
    return body.items.find((one) => prompt.test(one.prompt ?? ""));
  }, String(prompt));
  const digest = action === "approve" ? { digest: asked.approval?.digest } : {};
  expect((await api.respond(asked.interactionId, { action, ...digest })).status).toBe(200);
  return asked;
}

test("the guide shows the recipes exactly as these tests run them", async () => {
  const page = await readFile(join(ROOT, "guides/programs.md"), "utf8");
  const names = await readdir(RECIPES);
  expect(names).toHaveLength(4);
  for (const name of names) {
    expect(page).toContain(`\n${(await readFile(join(RECIPES, name), "utf8")).trim()}\n\`\`\`\n`);
  }
});

test("git pushes to main after a yes and not after a no", async () => {
  const [work, origin] = [join(folder, "work"), join(folder, "origin")];
  await run("git", ["init", "--bare", "--quiet", origin]);
  await run("git", ["init", "--quiet", "--initial-branch", "main", work]);
  await run("git", ["commit", "--quiet", "--allow-empty", "--message", "First"], work);
  const hook = join(work, ".git/hooks/pre-push");
  await copyFile(join(RECIPES, "pre-push"), hook);
  await chmod(hook, 0o755);
  const push = () => run("git", ["push", "--quiet", origin, "main"], work);
  const first = push();
  const asked = await answer(/^Push \w{40} to main\?$/u, "approve");
  expect(asked.approval?.display.description).toContain("First");
  expect(await first).toMatchObject({ code: 0 });
  await run("git", ["commit", "--quiet", "--allow-empty", "--message", "Second"], work);
  const second = push();
  await answer(/^Push/u, "deny");
  expect((await second).code).not.toBe(0);
  const { stdout } = await run("git", ["--git-dir", origin, "log", "--format=%s", "main"]);
  expect(stdout).toBe("First\n");
});

test("a job deploys after a yes, and fails after a no", async () => {
  const job = () => run("sh", [join(RECIPES, "deploy-job.sh")]);
  const first = job();
  await answer(/^Deploy abc123/u, "approve");
  expect(await first).toMatchObject({ code: 0, stdout: "yes\ndeploying abc123\n" });
  env["CI_COMMIT"] = "def456";
  const second = job();
  await answer(/^Deploy def456/u, "deny");
  expect(await second).toMatchObject({ code: 1, stdout: "no\n" });
});

test("a cron job deletes only the files that a person saw and approved", async () => {
  const backups = join(folder, "backups");
  await mkdir(backups);
  await writeFile(join(backups, "a b.bak"), "");
  const clean = () => run("sh", [join(RECIPES, "nightly-cleanup.sh"), backups]);
  const first = clean();
  const asked = await answer(/^Delete/u, "deny");
  expect(asked.approval?.display.description).toBe(`${join(backups, "a b.bak")}\n`);
  expect(await first).toMatchObject({ code: 0 });
  expect(await readdir(backups)).toEqual(["a b.bak"]);
  const second = clean();
  await answer(/^Delete/u, "approve");
  expect(await second).toMatchObject({ code: 0, stderr: expect.any(String) as string });
  expect(await readdir(backups)).toEqual([]);
});

test("a Python script asks without any package", async () => {
  const job = () => run("python3", [join(RECIPES, "ask.py")]);
  const asking = job();
  await answer(/^Rotate/u, "approve");
  expect(await asking).toEqual({ code: 0, stdout: "yes\n", stderr: "" });
  // The same key gets the same answer.
  expect(await job()).toEqual({ code: 0, stdout: "yes\n", stderr: "" });
});
