import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Api } from "./support/api.ts";
import { spawnGateway, startGateway } from "./support/gateway-process.ts";
import { timeHere } from "./support/time-here.ts";

let folder: string;
let work: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-cli-"));
  await writeFile(join(folder, "no-default.mjs"), "export const port = 5000;");
  // Its data folders are next to it.
  work = join(folder, "work");
  await mkdir(work);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command to its end. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawnGateway(args, { cwd: folder, env: { HOLDPOINT_CWD: work, ...env } });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

describe("holdpoint", () => {
  test("prints one line of JSON when it is ready, and nothing else on stdout", async () => {
    await using gateway = await startGateway();
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(gateway.launchUrl).toMatch(
      new RegExp(`^${gateway.url}/#code=[\\w-]{22,}&gateway=[\\w-]{43}$`),
    );
    expect(gateway.pid).toBe(gateway.process.pid);
    const rest = text(gateway.process.stdout!);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    await gateway.stop("SIGTERM");
    expect(await rest).toBe("");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "exits with 0 within 5 s of %s, even while a request waits",
    async (signal) => {
      await using gateway = await startGateway();
      const api = new Api(gateway.url);
      const { sessionId } = await api.createSession({ agent: "demo" });
      await api.send(sessionId, "Ask me two questions");
      const started = performance.now();
      expect(await gateway.stop(signal)).toBe(0);
      expect(performance.now() - started).toBeLessThan(timeHere(5000));
    },
  );

  test("runs the sources as npx holdpoint does in any folder of a checkout", async () => {
    const bin = fileURLToPath(new URL("../node_modules/.bin/holdpoint", import.meta.url));
    const child = spawn(process.execPath, [bin, "--version"], { cwd: folder });
    expect(await text(child.stdout)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("shows help and version", async () => {
    expect(await run(["--help"])).toMatchObject({ code: 0, stderr: "" });
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each<[string, string[], string, Record<string, string>?]>([
    ["an unknown flag", ["--prot", "1"], "--prot"],
    ["a flag without its value", ["--port"], "--port needs a value."],
    [
      "a flag with another in the place of its value",
      ["--host", "--json"],
      "--host needs a value.",
    ],
    ["an unknown agent", ["--agent", "hal", "--data-dir", "d1"], "hal"],
    ["a working directory that is not there", ["--cwd", "gone", "--data-dir", "d2"], "gone"],
    ["a config file that is not there", ["--config", "gone.ts"], "no config file"],
    [
      "a public URL with a path of the gateway itself",
      ["--data-dir", "d4"],
      "public URL",
      { HOLDPOINT_PUBLIC_URL: "https://a.example/api" },
    ],
    [
      "a public URL that is not https",
      ["--data-dir", "d4"],
      "Use its https address",
      { HOLDPOINT_PUBLIC_URL: "http://a.example" },
    ],
    ["a config file without a default export", ["--config", "no-default.mjs"], "default export"],
    ["the directory itself as the data folder", ["--data-dir", "."], "data folder"],
    [
      "a data folder that holds something else",
      ["--data-dir", ".", "--cwd", "/usr"],
      "contains other files",
    ],
    [
      "a data folder that cannot be made",
      ["--data-dir", "/proc/holdpoint/data"],
      "/proc/holdpoint",
    ],
    ["a config file for a command that loads none", ["link", "--config", "x.json"], "--config"],
    [
      "a token that no header can carry",
      ["--data-dir", "d5"],
      "token",
      { HOLDPOINT_TOKEN: "a b ".repeat(10) },
    ],
  ])("refuses %s in one line that names it, with exit code 2", async (_, args, named, env = {}) => {
    const { code, stdout, stderr } = await run(
      args[0] === "link" ? args : ["--no-open", ...args],
      env,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^holdpoint: [^\n]*\n$/);
    expect(stderr).toContain(named);
  });

  test("names a variable that it does not know", async () => {
    await using gateway = await startGateway({ env: { HOLDPOINT_PROT: "1" } });
    expect(gateway.stderr()).toMatch(/^holdpoint: [^\n]*HOLDPOINT_PROT[^\n]*\n$/);
  });

  test("continues to run when its output is closed", async () => {
    const args = ["--no-open", "--port", "0", "--data-dir", join(folder, "d6")];
    const child = spawnGateway(args, { cwd: work, env: { HOLDPOINT_LOG: "info" } });
    const exited = once(child, "exit");
    child.stdout!.destroy();
    const [ready] = (await once(child.stderr!, "data")) as [Buffer];
    child.stderr!.destroy();
    expect(ready.toString()).toContain("listening");
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  });

  test("prints an unexpected error with exit code 1", async () => {
    const config = "export default { get port() { throw new Error('no such disk'); } };";
    await writeFile(join(folder, "broken.mjs"), config);
    const { code, stdout, stderr } = await run(["--config", "broken.mjs"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^holdpoint: Error: no such disk\n {4}at /);
  });

  test("names the file and line of a syntax error, also in a file that the config imports", async () => {
    await writeFile(join(folder, "greet.ts"), "export const greet = {\n\n  name: ,\n};");
    await writeFile(join(folder, "imports.ts"), 'export { greet as default } from "./greet.ts";');
    const { code, stderr } = await run(["--config", "imports.ts"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^holdpoint: [^\n]*imports\.ts cannot be read: [^\n]*greet\.ts:3\)\n$/);
  });

  test("lists the loaded tools next to an empty config file that --config names", async () => {
    const project = join(folder, "project");
    await mkdir(join(project, "tools"), { recursive: true });
    await writeFile(join(project, "holdpoint.config.ts"), "");
    const tool = `export default { name: "greet", description: "Greets.", handler: () => "Hello" };`;
    await writeFile(join(project, "tools/greet.ts"), tool);
    const config = ["--config", "holdpoint.config.ts"];
    const args = ["--no-open", "--port", "0", "--data-dir", join(folder, "d7"), ...config];
    const child = spawnGateway(args, { cwd: project });
    const [banner] = (await once(child.stdout!, "data")) as [Buffer];
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(banner.toString()).toMatch(/^ {2}Tools +greet$/m);
  });

  test("explains at startup why an agent is missing", async () => {
    const args = ["--no-open", "--port", "0", "--data-dir", join(folder, "d8")];
    const env = { ANTHROPIC_API_KEY: "", CLAUDE_CONFIG_DIR: folder, HOME: folder };
    const child = spawnGateway(args, { cwd: work, env });
    const [banner] = (await once(child.stdout!, "data")) as [Buffer];
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(banner.toString()).toMatch(/^ {2}Without +Claude: \S.*$/m);
  });

  test("refuses a data folder that it cannot use", async () => {
    await writeFile(join(folder, "file"), "");
    const { code, stderr } = await run(["--no-open", "--data-dir", join(folder, "file/data")]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^holdpoint: [^\n]*file\/data[^\n]*\n$/);
  });

  test("refuses a data folder that another gateway uses", async () => {
    await using first = await startGateway();
    const { code, stderr } = await run(["--no-open", "--port", "0", "--data-dir", first.dataDir]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^holdpoint: [^\n]*\n$/);
    expect(stderr).toContain(first.dataDir);
  });

  test("refuses a busy port and takes no other, because the page and its sign-ins belong to the port", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const { port } = blocker.address() as { port: number };
    const args = ["--no-open", "--port", String(port), "--data-dir", join(folder, "d3")];
    const { code, stdout, stderr } = await run(args).finally(() => blocker.close());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^holdpoint: Port \d+ is in use[^\n]*--port 0[^\n]*\n$/);
    expect(stderr).toContain(`Port ${port} `);
  });

  test("refuses the data folder, and every folder around it, as a working directory for agents", async () => {
    await using gateway = await startGateway();
    const api = new Api(gateway.url);
    const { dataDir } = gateway;
    await mkdir(join(dataDir, "inner"));
    await symlink(dirname(dataDir), join(folder, "above"));
    for (const cwd of [
      join(dataDir, "inner"),
      dataDir,
      dirname(dataDir),
      join(folder, "above"),
      "/",
    ]) {
      const answer = await api.call("POST", "/sessions", { agent: "demo", cwd });
      expect(answer).toMatchObject({
        status: 422,
        body: { code: "INVALID_REQUEST", fieldErrors: { cwd: expect.any(String) } },
      });
    }
  });

  test("refuses to start agents in a directory that holds the data folder", async () => {
    const { code, stderr } = await run(["--no-open", "--data-dir", join(work, "d10")]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^holdpoint: [^\n]*data folder[^\n]*project[^\n]*--data-dir[^\n]*\n$/);
  });

  test("keeps its files from other users", async () => {
    await using gateway = await startGateway();
    const { stat, readdir } = await import("node:fs/promises");
    expect((await stat(gateway.dataDir)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(gateway.dataDir)) {
      expect((await stat(join(gateway.dataDir, file))).mode & 0o077).toBe(0);
    }
    await chmod(gateway.dataDir, 0o700);
  });
});
