import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Api, endOfTurn, pending, until } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";
import { type ProcessTexts, readProcesses, readProcessTree } from "./support/process-tree.ts";
import { timeHere } from "./support/time-here.ts";

const isRoot = process.getuid?.() === 0;
/** An account without rights that every Linux machine has. */
const OTHER_ACCOUNT = "nobody";

let folder: string;
let model: ScriptedModel;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-isolation-")));
  await chmod(folder, 0o755);
  for (const name of ["work", "claude"]) {
    await mkdir(join(folder, name));
    await chmod(join(folder, name), 0o777);
  }
  model = await openScriptedModel(() => [say("Nothing to do.")]);
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const start = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  startGateway({
    cwd: join(folder, "work"),
    args,
    env: { ...model.env(join(folder, "claude")), ...env },
  });
const bash = (command: string) => [callTool("Bash", { command, description: "Try it" })];
/** A path that the command's text does not reveal. */
const hide = (path: string) => `"$(echo ${Buffer.from(path).toString("base64")} | base64 -d)"`;

/** Matches the process of Claude itself, not its host or its watchers. */
const isClaude = ({ commandLine }: ProcessTexts) => commandLine.includes("stream-json");
const isFrozen = ({ pid }: ProcessTexts) =>
  /^State:\s+T/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
const hasEnded = ({ pid }: ProcessTexts) => !existsSync(`/proc/${pid}/exe`);

/** Commands that the person allows, and that assemble the paths themselves. */
const attacks = ({ dataDir, pid }: GatewayProcess): string[] => [
  `cat ${hide(join(dataDir, "gateway.secret"))} | base64`,
  `ls -A ${hide(dataDir)}`,
  `cat ${hide(join(dataDir, "holdpoint.db"))} | base64 | head -c 99`,
  `echo x > ${hide(join(dataDir, "planted"))} && echo written`,
  `cat ${hide(`/proc/${pid}/environ`)} | base64 | head -c 99`,
  `ls ${hide(`/proc/${pid}/root${dataDir}`)}`,
  `readlink ${hide(`/proc/${pid}/fd`)}/* ${hide(`/proc/${pid}/cwd`)}`,
  `umount ${hide(dataDir)} || umount -l ${hide(dataDir)} && ls ${hide(dataDir)}`,
  `unshare --user --map-root-user --mount sh -c 'umount "$0"; ls -A "$0"' ${hide(dataDir)}`,
  `nsenter --target ${pid} --mount ls ${hide(dataDir)}`,
  `[ -S ${hide(join(dataDir, "control.sock"))} ] && echo socket`,
  // The file with the gateway's start token.
  `cat ${hide(join(dataDir, "../token"))}`,
];

const ATTACKS = 12;

/** Runs each command in a turn of Claude's, all allowed. Resolves with the standard output of each. */
async function runAll(gateway: GatewayProcess, commands: readonly string[]): Promise<string[]> {
  const api = new Api(gateway.url);
  const quiet = commands.map((command) => bash(`( ${command} ) 2>/dev/null; true`));
  const from = model.requests.length;
  model.play(inOrder([...quiet, [say("Done.")]]));
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, "Go");
  for (const _ of commands) {
    const { interactionId, approval } = await pending(api, sessionId);
    await api.respond(interactionId, { action: "approve", digest: approval!.digest });
    await until(
      async () => (await api.interaction(interactionId)).status === "delivered",
      "the delivery",
    );
  }
  await endOfTurn(api, sessionId);
  const results = model.requests.slice(from).flatMap(({ results: each }) => each);
  return results.map(({ text }) => text.replace("(Bash completed with no output)", "").trim());
}

test("without isolation, an allowed command that assembles the path reads the data folder", async () => {
  await using gateway = await start();
  const got = await runAll(gateway, attacks(gateway).slice(0, 2));
  expect(got[0]).toBe((await readFile(join(gateway.dataDir, "gateway.secret"))).toString("base64"));
  expect(got[1]).toContain("holdpoint.db");
});

describe("--isolate namespace", () => {
  test("hides the data folder, files with secrets and the gateway's process from every program an agent runs", async ({
    annotate,
  }) => {
    await using gateway = await start(["--isolate", "namespace"]);
    const commands = attacks(gateway);
    expect(commands).toHaveLength(ATTACKS);
    expect(await runAll(gateway, commands)).toEqual(commands.map(() => ""));
    expect(existsSync(join(gateway.dataDir, "planted"))).toBe(false);
    expect(await runAll(gateway, ["echo it works > made.txt && cat made.txt && id -u"])).toEqual([
      `it works\n${process.getuid?.()}`,
    ]);
    await annotate(`${commands.length} commands in a namespace`, "cases");
  });

  test("a program in the agent's folder never runs outside in place of a system program", async () => {
    const bin = join(folder, "work/node_modules/.bin");
    const mark = join(folder, "work/outside");
    await mkdir(bin, { recursive: true });
    const names = ["unshare", "mount", "setpriv", "sh", "cat", "umount", "git", "ps", "grep"];
    for (const name of names) {
      await writeFile(join(bin, name), `#!/bin/sh\necho ${name} >> ${mark}\nexit 1\n`, {
        mode: 0o755,
      });
    }
    // As npx sets it, and some people do.
    const PATH = [bin, "node_modules/.bin", process.env["PATH"]].join(delimiter);
    await using gateway = await start(["--isolate", "namespace"], { PATH });
    expect(await runAll(gateway, ["echo it works"])).toEqual(["it works"]);
    expect(existsSync(mark) && readFileSync(mark, "utf8")).toBe(false);
    await rm(join(folder, "work/node_modules"), { recursive: true });
  });

  test("an agent ends within 2 s of its gateway's shutdown", async () => {
    await using gateway = await start(["--isolate", "namespace"]);
    const api = new Api(gateway.url);
    model.play(inOrder([bash("echo never > never.txt"), [say("Done.")]]));
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Go");
    await pending(api, sessionId);
    const started = readProcessTree(gateway.pid).filter(({ pid }) => pid !== gateway.pid);
    expect(started.some(isClaude)).toBe(true);
    await gateway.stop("SIGTERM");
    await until(() => Promise.resolve(started.every(hasEnded)), "the end", timeHere(2500));
    expect(existsSync(join(folder, "work/never.txt"))).toBe(false);
  });
});

/** Only root can start agents as another account. */
const MODES = ["namespace", ...(isRoot ? [`user:${OTHER_ACCOUNT}`] : [])];

describe.each(MODES)("an agent in the isolation %s", (mode) => {
  let dataDir: string;
  beforeEach(async () => {
    const own = await mkdtemp(join(folder, "own-"));
    dataDir = join(own, "data");
    await mkdir(join(own, "claude"));
    for (const path of [own, join(own, "claude")]) await chmod(path, 0o1777);
  });
  const startIsolated = () =>
    start(["--isolate", mode, "--data-dir", dataDir], {
      CLAUDE_CONFIG_DIR: join(dataDir, "../claude"),
    });

  test("[R-4] [R-5] is frozen when its gateway is killed, and continues at the same point with the next one", async () => {
    const out = join(dataDir, "../claude/out.txt");
    const reads = `cat ${hide(join(dataDir, "gateway.secret"))} >> ${out}; echo once >> ${out}`;
    model.play(inOrder([bash(reads), [say("Done.")]]));
    const asked = await (async () => {
      await using first = await startIsolated();
      const api = new Api(first.url);
      const { sessionId } = await api.createSession({ agent: "claude" });
      await api.send(sessionId, "Go");
      const interaction = await pending(api, sessionId);
      const agent = readProcessTree(first.pid).filter(isClaude);
      expect(agent).toHaveLength(1);
      await first.stop("SIGKILL");
      await until(() => Promise.resolve(agent.every(isFrozen)), "the freeze", timeHere(2500));
      return interaction;
    })();
    await using second = await startIsolated();
    const api = new Api(second.url);
    const { interactionId, approval, sessionId } = asked;
    expect(await api.interaction(interactionId)).toMatchObject({ status: "pending", hold: "held" });
    expect(existsSync(out)).toBe(false);
    await api.respond(interactionId, { action: "approve", digest: approval!.digest });
    await endOfTurn(api, sessionId);
    expect(await readFile(out, "utf8")).toBe("once\n");
    expect(await api.interaction(interactionId)).toMatchObject({ how: "resumed" });
  });

  test("[R-5] leaves nothing behind when its host is killed, in whichever namespace its tools run", async () => {
    await using gateway = await startIsolated();
    const api = new Api(gateway.url);
    const mark = `1000${Math.floor(Math.random() * 1_000_000)}`;
    const long = [
      `setsid sleep ${mark} & (sleep ${mark} &) ; env -i sleep ${mark} &`,
      `unshare --user --map-root-user --pid --fork sleep ${mark} & sleep ${mark}`,
    ].join("\n");
    model.play(inOrder([bash(long), [say("Done.")]]));
    const { sessionId } = await api.createSession({ agent: "claude" });
    await api.send(sessionId, "Go");
    const { interactionId, approval } = await pending(api, sessionId);
    await api.respond(interactionId, { action: "approve", digest: approval!.digest });
    const asleep = () =>
      readProcesses().filter(({ commandLine }) => commandLine === `sleep\0${mark}\0`);
    await until(async () => asleep().length === 5, "five processes");
    const [agent] = readProcessTree(gateway.pid).filter(isClaude);
    process.kill(readProcesses().find(({ pid }) => pid === agent?.pid)!.parent, "SIGKILL");
    await until(async () => asleep().length === 0 && hasEnded(agent!), "their end");
    expect(asleep()).toEqual([]);
  });
});

describe(`--isolate user:NAME, tried as ${isRoot ? "root" : "a user without rights"}`, () => {
  test("runs agents as that account, which cannot read the data folder, or names the missing rights", async () => {
    const outcome = await start(["--isolate", `user:${OTHER_ACCOUNT}`]).then(async (started) => {
      await using gateway = started;
      return await runAll(gateway, [...attacks(gateway), "id -un > by.txt; cat by.txt"]);
    }, String);
    const silent = Array.from({ length: ATTACKS }, () => "");
    const refused = expect.stringContaining("needs a gateway that root has started");
    expect(outcome).toEqual(isRoot ? [...silent, OTHER_ACCOUNT] : refused);
  });
});

describe("a gateway with isolation that does not hold does not start", () => {
  test.each([
    ["an unknown mode", "jail", /--isolate jail: use namespace, or user:NAME/u],
    ["an account that is not there", "user:no-such-account", /there is no such account/u],
    ["the superuser", "user:root", /not another account/u],
    ["words for a shell", "user:x;id", /use namespace, or user:NAME/u],
  ])("%s is refused", async (_, mode, reason) => {
    await expect(start(["--isolate", mode])).rejects.toThrow(reason);
  });

  test("a fake isolation program that isolates nothing is detected", async () => {
    const bin = join(folder, "bin");
    await mkdir(bin);
    const fake = `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n`;
    await writeFile(join(bin, "unshare"), fake, { mode: 0o755 });
    await writeFile(join(bin, "mount"), "#!/bin/sh\n", { mode: 0o755 });
    const path = `${bin}${delimiter}${process.env["PATH"]}`;
    await expect(start(["--isolate", "namespace"], { PATH: path })).rejects.toThrow(
      /does not hold: a program in it reads the data folder/u,
    );
  });

  test("a machine without support for it gets its own error, with an alternative", async () => {
    const bin = join(folder, "failing");
    await mkdir(bin);
    const fake = "#!/bin/sh\necho 'unshare: Operation not permitted' >&2; exit 1\n";
    await writeFile(join(bin, "unshare"), fake, { mode: 0o755 });
    const path = `${bin}${delimiter}${process.env["PATH"]}`;
    await expect(start(["--isolate", "namespace"], { PATH: path })).rejects.toThrow(
      /does not work on this machine: unshare: Operation not permitted\. See guides\/isolation\.md/u,
    );
  });
});
