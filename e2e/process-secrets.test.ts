import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";

import { callTool, inOrder, openScriptedModel, say } from "@holdpoint/agents/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { signInDevice } from "./support/api-device.ts";
import { Api, endOfTurn, pending, until } from "./support/api.ts";
import { commandOf, spawnGateway, startGateway, TOKEN } from "./support/gateway-process.ts";
import { readProcessTree } from "./support/process-tree.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-process-secrets-")));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Variables that a person may well have set, none of which an agent should get. */
const PLANTED = {
  AWS_SECRET_ACCESS_KEY: "planted-aws",
  GITHUB_TOKEN: "planted-github",
  NPM_TOKEN: "planted-npm",
  DATABASE_URL: "planted-database",
  SSH_AUTH_SOCK: "/planted/ssh",
  OPENAI_API_KEY: "planted-openai",
  NODE_OPTIONS: "--title=planted-options",
};
const SECRET = "a-person's-own-token-0123456789abcdef".replaceAll("'", "-");

describe("no credential is in arguments or environments", () => {
  test("of gateway, agent host and agent, while an agent runs", async ({ annotate }) => {
    const work = join(folder, "work");
    await mkdir(work);
    await using model = await openScriptedModel(
      inOrder([
        [callTool("Bash", { command: "env > seen.txt", description: "Look" })],
        [callTool("Bash", { command: "sleep 1; cat /proc/$PPID/environ", description: "Look" })],
        [say("Done.")],
      ]),
    );
    await using gateway = await startGateway({
      cwd: work,
      env: { ...model.env(join(folder, "claude")), ...PLANTED, HOLDPOINT_TOKEN: SECRET },
    });
    const api = new Api(gateway.url, { token: SECRET });
    const code = new URL(gateway.launchUrl).hash.slice("#code=".length);
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Go");
    const first = await pending(api, sessionId);
    const processes = readProcessTree(gateway.pid);
    const approve = ({ interactionId, approval }: typeof first) =>
      api.respond(interactionId, { action: "approve", digest: approval!.digest });
    await approve(first);
    const second = await until(
      async () =>
        (await api.interactions(sessionId, "pending")).find(
          ({ interactionId }) => interactionId !== first.interactionId,
        ),
      "the second approval",
    );
    await approve(second);
    await endOfTurn(api, sessionId);

    expect(processes.length).toBeGreaterThanOrEqual(3);
    const [own, ...others] = processes.toSorted(({ pid }) => (pid === gateway.pid ? -1 : 1));
    const credentials = [SECRET, code, "Bearer "];
    const texts = processes.flatMap(({ environment, commandLine }) => [environment, commandLine]);
    for (const secret of credentials) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(own?.environment).toContain("planted-aws");
    expect(own?.environment).toContain("MALLOC_MMAP_THRESHOLD_=");
    const agents = others.filter(({ commandLine }) => !commandLine.startsWith("planted-options"));
    const seen = await readFile(join(work, "seen.txt"), "utf8");
    const told = model.requests
      .flatMap(({ results }) => results.map(({ text }) => text))
      .join("\n");
    for (const shown of [...agents.map(({ environment }) => environment), seen, told]) {
      expect(shown).not.toMatch(/planted|HOLDPOINT|MALLOC/u);
    }
    expect(seen).toContain("ANTHROPIC_API_KEY");
    await annotate(`${texts.length} process texts × ${credentials.length} credentials`, "cases");
  });

  test("of the gateway, which restarts in the same process, and the file that passes its token on is removed", async () => {
    const before = new Set(readdirSync(tmpdir()));
    await using gateway = await startGateway({ env: { HOLDPOINT_TOKEN: SECRET } });
    expect(gateway.pid).toBe(gateway.process.pid);
    const [own] = readProcessTree(gateway.pid);
    const [, path] = /HOLDPOINT_TOKEN_ONCE=([^\0]+)/u.exec(own?.environment ?? "") ?? [];
    expect(path).toBeDefined();
    expect(existsSync(path ?? "")).toBe(false);
    expect(
      readdirSync(tmpdir()).filter((name) => !before.has(name) && path?.includes(name)),
    ).toEqual([]);
    expect((await new Api(gateway.url, { token: SECRET }).agents()).length).toBeGreaterThan(0);
    expect(await gateway.stop("SIGTERM")).toBe(0);
  });
});

describe("HOLDPOINT_TOKEN_FILE", () => {
  const start = async (env: Record<string, string>) => {
    const args = ["--no-open", "--json", "--port", "0", "--data-dir", join(folder, "data")];
    const child = spawnGateway([...args, "--cwd", "/usr"], { cwd: folder, env });
    const [stderr, [exitCode]] = await Promise.all([
      text(child.stderr!),
      once(child, "exit") as Promise<[number | null]>,
    ]);
    return { stderr, exitCode };
  };

  test("names a file that only its owner can read", async () => {
    const path = join(folder, "token");
    await writeFile(path, `${TOKEN}\n`, { mode: 0o600 });
    await using gateway = await startGateway({ env: { HOLDPOINT_TOKEN_FILE: path } });
    expect((await new Api(gateway.url).agents()).length).toBeGreaterThan(0);
    await chmod(path, 0o644);
    expect(await start({ HOLDPOINT_TOKEN_FILE: path })).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^holdpoint: [^\n]*chmod 600[^\n]*\n$/u),
    });
  });

  test("names a descriptor that it was started with", async () => {
    const path = join(folder, "handed-over");
    await writeFile(path, TOKEN, { mode: 0o600 });
    const dataDir = join(folder, "descriptor");
    const args = ["--json", "--port", "0", "--data-dir", dataDir, "--cwd", "/usr"];
    const child = spawn("sh", ["-c", 'exec "$@" 3<"$0"', path, ...commandOf(args)], {
      cwd: folder,
      env: { ...process.env, HOLDPOINT_TOKEN_FILE: "/dev/fd/3" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = once(child, "exit");
    const stderr = text(child.stderr);
    try {
      const line = await Promise.race([once(child.stdout, "data"), exited.then(() => stderr)]);
      const { url } = JSON.parse(String(line)) as { url: string };
      expect((await new Api(url).agents()).length).toBeGreaterThan(0);
    } finally {
      child.kill("SIGTERM");
      await exited;
    }
  });

  test.each([
    ["that is not there", { HOLDPOINT_TOKEN_FILE: "/gone" }, /\/gone cannot be read/u],
    ["beside a token", { HOLDPOINT_TOKEN_FILE: "/gone", HOLDPOINT_TOKEN: SECRET }, /Use one/u],
    ["that is empty", { HOLDPOINT_TOKEN_FILE: "/dev/null" }, /is empty/u],
  ])("is refused %s in one line", async (_, env, reason) => {
    const { exitCode, stderr } = await start(env);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^holdpoint: [^\n]*\n$/u);
    expect(stderr).toMatch(reason);
  });
});

test("the browser is opened with a file that only its owner can read, not with the link, and the file is removed after use", async () => {
  const bin = join(folder, "bin");
  const seen = join(folder, "browser.txt");
  await mkdir(bin);
  const browser = join(bin, "browser");
  await writeFile(browser, `#!/bin/sh\necho "$@" >> ${seen}\n`, { mode: 0o755 });
  await writeFile(join(bin, "xdg-open"), `#!/bin/sh\necho "$@" >> ${seen}\n`, { mode: 0o755 });
  const dataDir = join(folder, "opened");
  const work = join(folder, "opens");
  await mkdir(work);
  const child = spawnGateway(["--port", "0", "--data-dir", dataDir], {
    cwd: work,
    env: { PATH: `${bin}${delimiter}${process.env["PATH"]}`, BROWSER: browser },
  });
  const exited = once(child, "exit");
  try {
    const [banner] = (await once(child.stdout!, "data")) as [Buffer];
    const [link = ""] = /http\S+#code=\S+/u.exec(banner.toString()) ?? [];
    const opened = await until(
      async () => existsSync(seen) && readFile(seen, "utf8"),
      "the browser",
    );
    expect(opened).toContain(`file://${dataDir}/launch.html`);
    expect(opened).not.toContain("code");
    const path = join(dataDir, "launch.html");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain(`url=${link.replaceAll("&", "&amp;")}"`);
    await signInDevice(link);
    await until(async () => !existsSync(path), "the end of the file");
  } finally {
    child.kill("SIGTERM");
    await exited;
  }
});
