import { existsSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  callTool,
  inOrder,
  type ModelReply,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { Grant, Interaction } from "@holdpoint/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
let gateway: GatewayProcess;
let api: Api;

async function start(): Promise<void> {
  gateway = await startGateway({
    dataDir: `${folder}.data`,
    cwd: folder,
    args: ["--cwd", folder],
    env: model.env(join(folder, "claude")),
  });
  api = new Api(gateway.url);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-claude-grants-")));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
  await start();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  for (const path of [folder, `${folder}.data`]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});
/** Grants of one test do not apply in another. */
beforeEach(async () => {
  for (const { grantId } of await grants()) await api.call("DELETE", `/grants/${grantId}`);
});
afterEach(() => expect(model.failures).toEqual([]));

const bash = (command: string) => [callTool("Bash", { command, description: "Try it" })];
const write = (name: string, content = "x") => [
  callTool("Write", { file_path: join(folder, name), content: `${content}\n` }),
];
const play = (...replies: ModelReply[]) => model.play(inOrder([...replies, [say("Done.")]]));
const exists = (name: string) => existsSync(join(folder, name));
const grants = async () => (await api.call<{ items: Grant[] }>("GET", "/grants")).body.items;

async function session(): Promise<string> {
  return (await api.createSession({ agent: "claude" })).sessionId;
}

function approve({ interactionId, approval }: Interaction, approvalScope: string) {
  return api.respond(interactionId, {
    action: "approve",
    digest: approval!.digest,
    approvalScope,
  } as Parameters<Api["respond"]>[1]);
}

/** How often the session has asked, and the grants that let calls pass. */
async function record(sessionId: string) {
  const events = await api.events(sessionId);
  return {
    asked: events.filter(({ type }) => type === "interaction_request").length,
    used: events.flatMap((event) => (event.type === "grant_used" ? [event.grantId] : [])),
  };
}

async function endOfTurn(sessionId: string, count: number): Promise<void> {
  await until(async () => {
    const events = await api.events(sessionId);
    return events.filter(({ type }) => type === "turn_ended").length === count;
  }, "the end of the turn");
}

describe("a longer approval for Claude", () => {
  test("for the session is a grant: covered calls pass, and an event names the grant each time", async () => {
    play(
      bash("npm run one || touch one"),
      bash("npm run one || touch one "),
      bash("npm run one || touch one"),
    );
    const sessionId = await session();
    await api.send(sessionId, "Go");
    const asked = await pending(api, sessionId);
    expect(asked.approval?.scopeText.session).toBe(
      `Only the command “npm run one || touch one”. Until this session ends, in ${folder}.`,
    );
    await approve(asked, "session");
    const [grant] = await until(async () => {
      const found = await grants();
      return found.length > 0 ? found : undefined;
    }, "the grant");
    expect(grant).toMatchObject({
      scope: "session",
      agent: "claude",
      toolName: "Bash",
      cwd: folder,
      sessionId,
      text: asked.approval?.scopeText.session,
      interactionId: asked.interactionId,
    });
    const second = await until(
      async () =>
        (await api.interactions(sessionId, "pending")).find(
          ({ interactionId }) => interactionId !== asked.interactionId,
        ),
      "the command with a space more",
    );
    expect(second.approval?.input).toMatchObject({ command: "npm run one || touch one " });
    await api.respond(second.interactionId, { action: "deny" });
    await endOfTurn(sessionId, 1);
    expect(await record(sessionId)).toEqual({ asked: 2, used: [grant!.grantId] });

    play(bash("npm run one || touch one"));
    const other = await session();
    await api.send(other, "Go");
    await api.respond((await pending(api, other)).interactionId, { action: "deny" });
    await endOfTurn(other, 1);
  });

  test("[R-2] for always applies in the folder, survives a restart, and ends at once when it is revoked", async () => {
    play(bash("touch always.txt"));
    const first = await session();
    await api.send(first, "Go");
    await approve(await pending(api, first), "always");
    await endOfTurn(first, 1);
    expect(exists(".claude/settings.local.json")).toBe(false);

    await gateway.stop("SIGKILL");
    await start();
    const [grant] = await grants();
    expect(grant).toMatchObject({ scope: "always", expiresAt: expect.any(String) as string });
    await rm(join(folder, "always.txt"));
    play(bash("touch always.txt"));
    const second = await session();
    await api.send(second, "Go");
    await endOfTurn(second, 1);
    expect(exists("always.txt")).toBe(true);
    expect(await record(second)).toEqual({ asked: 0, used: [grant!.grantId] });

    // The agent's process continues: a revoked grant no longer applies anywhere.
    expect((await api.call("DELETE", `/grants/${grant!.grantId}`)).status).toBe(204);
    play(bash("touch always.txt"));
    await api.send(second, "Again");
    await api.respond((await pending(api, second)).interactionId, { action: "deny" });
    await endOfTurn(second, 2);
    expect(await record(second)).toMatchObject({ asked: 1 });
  });

  test("[R-5] of an edit covers only its file, and leaves the permission mode unchanged", async () => {
    play(write("one.txt"), write("one.txt", "y"), write("two.txt"), write(".bashrc"));
    const sessionId = await session();
    await api.send(sessionId, "Go");
    await approve(await pending(api, sessionId), "session");
    const writeOf = (name: string) =>
      until(
        async () =>
          (await api.interactions(sessionId, "pending")).find(
            ({ approval }) => approval?.input["file_path"] === join(folder, name),
          ),
        `the edit of ${name}`,
      );
    await api.respond((await writeOf("two.txt")).interactionId, { action: "deny" });
    const sensitive = await writeOf(".bashrc");
    expect(sensitive.approval?.scopes).toEqual(["once"]);
    await api.respond(sensitive.interactionId, { action: "deny" });
    await endOfTurn(sessionId, 1);
    expect(await readFile(join(folder, "one.txt"), "utf8")).toBe("y\n");
    expect(exists("two.txt") || exists(".bashrc")).toBe(false);
    expect(await record(sessionId)).toMatchObject({ asked: 3, used: [expect.any(String)] });
    expect(await api.session(sessionId)).toMatchObject({ permissionMode: "default" });

    // The folder now leads elsewhere: its file is not the allowed one.
    const edit = (text: string) => [
      callTool("Read", { file_path: join(folder, "docs/one.txt") }),
      callTool("Write", { file_path: join(folder, "docs/one.txt"), content: text }),
    ];
    for (const name of ["docs", "src"]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, "one.txt"), name);
    }
    play(edit("a").slice(0, 1), edit("a").slice(1));
    await api.send(sessionId, "Go");
    await approve(await pending(api, sessionId), "session");
    await endOfTurn(sessionId, 2);
    await rename(join(folder, "docs"), join(folder, "old"));
    await symlink(join(folder, "src"), join(folder, "docs"));
    play(edit("b").slice(0, 1), edit("b").slice(1));
    await api.send(sessionId, "Go on");
    const linked = await pending(api, sessionId);
    expect(linked.approval?.change?.path).toBe(join(folder, "src", "one.txt"));
    await api.respond(linked.interactionId, { action: "deny" });
    await endOfTurn(sessionId, 3);
    expect(await readFile(join(folder, "src", "one.txt"), "utf8")).toBe("src");

    // In plan mode Claude cannot write, whatever was allowed before.
    await api.call("PATCH", `/sessions/${sessionId}`, { permissionMode: "plan" });
    play(write("one.txt", "z"));
    await api.send(sessionId, "Plan");
    const planned = await pending(api, sessionId);
    expect(planned.approval?.scopes).toEqual(["once"]);
    await api.respond(planned.interactionId, { action: "deny" });
    await endOfTurn(sessionId, 4);
    expect(await readFile(join(folder, "one.txt"), "utf8")).toBe("y\n");
  });
});
