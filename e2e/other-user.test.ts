/*
 * Another user of the machine tries to access everything that a gateway and its agent host have on disk. The folders
 * above the data folder are open to all, so that only the gateway's own permissions protect it.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { callTool, openScriptedModel, say } from "@holdpoint/agents/testing";
import { expect, test } from "vitest";

import { Api, pending } from "./support/api.ts";
import { startGateway } from "./support/gateway-process.ts";

const NOBODY = "65534";
/** Tries each path as a socket, a file and a folder, prints the successful attempts, and removes its own files. */
const ATTACK = `
const { connect } = require("node:net");
const fs = require("node:fs");
const reached = [];
const attempt = (what, act) => { try { act(); reached.push(what); } catch {} };
const paths = JSON.parse(process.argv[1]);
const connecting = paths.map((path) => new Promise((resolve) => {
  const socket = connect(path, () => { reached.push("connected to " + path); socket.destroy(); });
  socket.on("error", () => {});
  socket.on("close", resolve);
}));
Promise.all(connecting).then(() => {
  for (const path of paths) {
    attempt("read " + path, () => fs.readFileSync(path));
    attempt("list " + path, () => fs.readdirSync(path));
    attempt("wrote " + path, () => fs.closeSync(fs.openSync(path, "r+")));
    attempt("put into " + path, () => fs.writeFileSync(path + "/planted", ""));
    attempt("removed " + path, () => fs.rmSync(path, { recursive: true }));
    attempt("moved " + path, () => fs.renameSync(path, path + ".moved"));
  }
  console.log(JSON.stringify(reached));
});
`;

/** The command prefix that runs a command as the user nobody; `undefined` when the current user cannot do that. */
function asNobody(): readonly string[] | undefined {
  const ways = [
    ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"],
    ["sudo", "-n", "-u", "nobody"],
  ];
  return ways.find(([program = "", ...args]) => {
    const tried = spawnSync(program, [...args, process.execPath, "--version"]);
    return tried.status === 0;
  });
}

const way = process.platform === "linux" ? asNobody() : undefined;

test.skipIf(way === undefined)(
  "another user of the machine reaches neither data nor sockets of a gateway and its agent hosts, even with a long path",
  async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-other-")));
    await using open = new AsyncDisposableStack();
    open.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await chmod(folder, 0o755);
    const ask = callTool("Bash", { command: "touch made.txt", description: "Try" }, "toolu_1");
    const model = open.use(await openScriptedModel(() => [say("I ask."), ask]));
    for (const name of ["short", "long".repeat(25)]) {
      const above = join(folder, name);
      await mkdir(above, { mode: 0o755 });
      const work = join(above, "work");
      await mkdir(work);
      await using gateway = await startGateway({
        dataDir: join(above, "data"),
        cwd: work,
        env: { ...model.env(join(above, "claude")), HOME: above },
      });
      const api = new Api(gateway.url);
      const { sessionId } = await api.createSession({ agent: "claude" });
      await api.send(sessionId, "Go");
      await pending(api, sessionId);
      const { socketPath, paths } = await findPaths(gateway.dataDir);
      expect(reachedBy(paths)).toEqual([]);
      // The same attack succeeds for the owner, so it is a real attack.
      expect(reachedBy([socketPath], [])).toContain(`connected to ${socketPath}`);
    }
  },
);

/** The data folder with all of its contents, and the socket of its host. */
async function findPaths(dataDir: string): Promise<{ socketPath: string; paths: string[] }> {
  const inside = (await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name));
  const records = inside.filter((path) => /\/hosts\/[^/]+\.json$/u.test(path));
  expect(records).toHaveLength(1);
  const { socketPath } = JSON.parse(await readFile(records[0]!, "utf8")) as { socketPath: string };
  expect((await stat(socketPath)).isSocket()).toBe(true);
  return { socketPath, paths: [dataDir, ...inside, socketPath, join(socketPath, "..")] };
}

function reachedBy(paths: readonly string[], as = way ?? []): string[] {
  const attack = [process.execPath, "-e", ATTACK, JSON.stringify(paths)];
  const said = execFileSync("env", ["--", ...as, ...attack], { encoding: "utf8", cwd: "/" });
  return JSON.parse(said) as string[];
}
