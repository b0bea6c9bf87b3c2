import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { Interaction } from "@holdpoint/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Api, until } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

const run = promisify(execFile);

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

/** A folder in which each harmless command works, and each attack would leave a file with a distinct name. */
async function fillFolder(): Promise<void> {
  const git = (...args: string[]) => run("git", args, { cwd: folder });
  await writeFile(join(folder, "one"), "one\n");
  await writeFile(join(folder, "Makefile"), "all clean:\n\t@echo made\n");
  await writeFile(join(folder, "evil.mk"), "all:\n\t@touch make.ran\n");
  await writeFile(join(folder, "evil.sh"), "#!/bin/sh\ntouch npm.ran\n");
  await writeFile(join(folder, "hello.sh"), "#!/bin/sh\necho hello\n");
  for (const name of ["evil.sh", "hello.sh"]) await chmod(join(folder, name), 0o755);
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ scripts: { hello: "echo hi", bye: "echo bye" } }),
  );
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, "sub", "Makefile"), "all:\n\t@touch directory.ran\n");
  await git("init", "--quiet", "--initial-branch=main");
  await git("init", "--quiet", "--bare", "origin.git");
  await git("remote", "add", "origin", "./origin.git");
  await git(
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@b",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "one",
  );
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-grant-attacks-")));
  await fillFolder();
  model = await openScriptedModel(() => [say("Nothing to do.")]);
  gateway = await startGateway({
    dataDir: `${folder}.data`,
    cwd: folder,
    args: ["--cwd", folder],
    env: model.env(join(folder, "claude")),
  });
  api = new Api(gateway.url);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  for (const path of [folder, `${folder}.data`]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

const bash = (command: string) => [callTool("Bash", { command, description: "Try it" })];

/** A command approved for the session, the commands tried after it, and the file that an attack would leave. */
const ATTACKS: readonly (readonly [name: string, ...commands: string[]])[] = [
  [
    "tar.ran",
    "tar cf a.tar one",
    "tar cf a.tar one --checkpoint=1 --checkpoint-action=exec='touch tar.ran'",
  ],
  [
    "push.ran",
    "git push origin main",
    "git push --receive-pack='touch push.ran; git-receive-pack' origin main",
  ],
  ["make.ran", "make all", "make all -f evil.mk"],
  ["npm.ran", "npm run hello", "npm run hello --script-shell=./evil.sh"],
  ["comment.ran", "./hello.sh", "./hello.sh # and all is well"],
  ["loop.ran", "./hello.sh", "for i in 1 2; do ./hello.sh; done"],
  ["sub/directory.ran", "make all", "cd sub", "make all"],
];

/** Approves a turn's requests for the session, and denies the attack; resolves to the requests. */
async function play(
  sessionId: string,
  commands: readonly string[],
  attack: string,
): Promise<readonly string[]> {
  model.play(inOrder([...commands.map(bash), [say("Done.")]]));
  const { turnId } = await api.send(sessionId, "Go");
  const asked: string[] = [];
  for (;;) {
    const next = await until<Interaction | "over">(
      async () => (await api.interactions(sessionId, "pending"))[0] ?? ((await isOver()) && "over"),
      "a question or the end",
    );
    if (next === "over") return asked;
    const { input, digest, cwd } = next.approval!;
    asked.push(`${cwd}: ${String(input["command"])}`);
    await api.respond(
      next.interactionId,
      asked.at(-1) === attack
        ? { action: "deny" }
        : { action: "approve", digest, approvalScope: "session" },
    );
  }
  async function isOver(): Promise<boolean> {
    const events = await api.events(sessionId);
    return events.some((event) => event.type === "turn_ended" && event.turnId === turnId);
  }
}

test("[R-6] a longer approval of a harmless command lets no other command through", async ({
  annotate,
}) => {
  const { sessionId } = await api.createSession({ agent: "claude" });
  const allowed = new Set<string>();
  const ran: string[] = [];
  let tried = 0;
  for (const [name, ...commands] of ATTACKS) {
    const harmless = `${folder}: ${commands[0]}`;
    const attack = `${dirname(join(folder, name))}: ${commands.at(-1)}`;
    const asked = await play(sessionId, commands, attack);
    expect(asked.includes(harmless) || allowed.has(harmless)).toBe(true);
    allowed.add(harmless);
    if (existsSync(join(folder, name)) || asked.at(-1) !== attack) ran.push(name);
    tried += 1;
  }
  expect(ran).toEqual([]);
  expect(tried).toBe(ATTACKS.length);
  await annotate(`${tried} attacks on an approval for longer, on the real Claude`, "cases");
}, 120_000);

/** Rules, each with a command that it allows, and one that it must not allow. */
const RULES: readonly (readonly [name: string, pattern: string, meant: string, attack: string])[] =
  [
    [
      "rule-tar.ran",
      "tar cf * *",
      "tar cf b.tar one",
      "tar cf b.tar one --checkpoint=1 --checkpoint-action=exec='touch rule-tar.ran'",
    ],
    ["rule-make.ran", "make *", "make clean", "make all SHELL=./rule-make.sh"],
    ["rule-npm.ran", "npm run *", "npm run bye", "npm run hello --script-shell=./rule-npm.sh"],
    ["rule-hello.ran", "./hello.sh *", "./hello.sh a", "./hello.sh a && touch rule-hello.ran"],
  ];

test("[R-6] a rule lets its commands through without asking, but no attack on the rule", async ({
  annotate,
}) => {
  for (const name of ["rule-make", "rule-npm"]) {
    await writeFile(join(folder, `${name}.sh`), `#!/bin/sh\ntouch ${name}.ran\n`);
    await chmod(join(folder, `${name}.sh`), 0o755);
  }
  const { sessionId } = await api.createSession({ agent: "claude" });
  const ran: string[] = [];
  let tried = 0;
  for (const [name, pattern, meant, attack] of RULES) {
    const rule = { verdict: "allow", pattern, cwd: folder };
    expect((await api.call("POST", "/rules", rule)).status).toBe(201);
    const asked = await play(sessionId, [meant, attack], `${folder}: ${attack}`);
    expect(asked).not.toContain(`${folder}: ${meant}`);
    if (existsSync(join(folder, name)) || asked.at(-1) !== `${folder}: ${attack}`) ran.push(name);
    tried += 1;
  }
  expect(ran).toEqual([]);
  const events = await api.events(sessionId);
  const uses = events.flatMap((event) => (event.type === "grant_used" ? [event.verdict] : []));
  expect(uses).toEqual(RULES.map(() => "allow"));
  const deny = { verdict: "deny", pattern: "npm run bye", cwd: folder };
  expect((await api.call("POST", "/rules", deny)).status).toBe(201);
  expect(await play(sessionId, ["npm run bye"], "none")).toEqual([]);
  const results = model.requests.at(-1)!.results.map(({ text }) => text);
  expect(results.join()).toContain("A rule denies this");
  expect(tried).toBe(RULES.length);
  await annotate(`${tried} attacks on rules, on the real Claude`, "cases");
}, 120_000);
