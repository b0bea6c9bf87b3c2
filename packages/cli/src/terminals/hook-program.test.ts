import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TerminalAsks, Visit } from "@holdpoint/agents";
import { beforeEach, expect, onTestFinished, test } from "vitest";

import { findCurl } from "../adopt/find-program.ts";
import { hookProgram } from "./hook-program.ts";
import { openDoor } from "./open-door.ts";
import { doorPath, hookPath } from "./terminal-paths.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "holdpoint's hook-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await writeFile(hookPath(dataDir), hookProgram({ curl: await findCurl(process.env) }));
  await chmod(hookPath(dataDir), 0o700);
});

/** Runs the hook to its end, and gives what it printed. */
async function run(action: string, input: string): Promise<{ code: unknown; said: string }> {
  const child = spawn(hookPath(dataDir), [action], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, http_proxy: "http://127.0.0.1:1", ASKED_BY_ITS_HOST: "" },
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [unknown];
  return { code, said };
}

/** Something that listens where a gateway would. */
async function listen(onConnection: (socket: Socket) => void): Promise<Server> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("error", () => undefined));
    onConnection(socket);
  });
  server.listen(doorPath(dataDir));
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return server;
}

interface Heard {
  readonly asked: [string, unknown][];
  readonly told: unknown[];
  readonly passed: unknown[];
  readonly ended: string[];
}

/** The door, with asks that are answered as they are told. */
async function openScene(next: (visits: number) => string | undefined): Promise<Heard> {
  const heard: Heard = { asked: [], told: [], passed: [], ended: [] };
  let visits = 0;
  const visit = (): Visit => {
    visits += 1;
    const say = (word: string) => () => void heard.ended.push(word);
    const output = Promise.resolve(next(visits));
    return { output, taken: say("taken"), left: say("left"), lost: say("lost") };
  };
  const asks: Pick<TerminalAsks, "ask" | "pass" | "visit" | "tell" | typeof Symbol.dispose> = {
    ask: (id, body) => heard.asked.push([id, body]) > 0,
    pass: async (body) => {
      heard.passed.push(body);
      return JSON.stringify({ passed: body });
    },
    visit,
    tell: (body) => void heard.told.push(body),
    [Symbol.dispose]: () => undefined,
  };
  const door = await openDoor(dataDir, asks as TerminalAsks);
  onTestFinished(() => door[Symbol.asyncDispose]());
  return heard;
}

test("the hook asks until there is an answer, prints it and leaves nothing", async () => {
  const heard = await openScene((visits) => (visits < 3 ? undefined : '{"decision":"%s $(id)"}'));
  const input = { text: "`id` $HOME %s \\n 'ü' \"", big: "x".repeat(200_000) };
  const { said } = await run("ask", JSON.stringify(input));
  expect(said).toBe('{"decision":"%s $(id)"}');
  expect(heard.ended).toEqual(["left", "left", "taken"]);
  expect(heard.asked.map(([, body]) => body)).toEqual([input, input, input]);
  expect(new Set(heard.asked.map(([id]) => id)).size).toBe(1);
  expect((await readdir(dataDir)).filter((name) => name.endsWith(".waits"))).toEqual([]);
});

test("[R-5] without a gateway, or with one that says nothing, the hook ends and decides nothing", async () => {
  expect(await run("ask", "{}")).toEqual({ code: 0, said: "" });
  const server = await listen(() => undefined);
  expect(await run("ask", "{}")).toEqual({ code: 0, said: "" });
  expect(await run("try", "{}")).toEqual({ code: 0, said: "" });
  server.close();
});

test("[R-5] an answer that is cut off decides nothing, and is not printed twice", async () => {
  const whole = '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}';
  await listen((socket) => {
    socket.once("data", (chunk: Buffer) => {
      const isAsk = chunk.toString().startsWith("POST");
      const head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length:";
      socket.end(
        isAsk ? `${head} 0\r\n\r\n` : `${head} ${whole.length}\r\n\r\n${whole.slice(0, 30)}`,
      );
    });
  });
  const { said } = await run("ask", "{}");
  expect(whole.startsWith(said) && said.length < whole.length).toBe(true);
});

test("an event costs no connection unless something waits, and a call none unless one may pass", async () => {
  const gone = spawn("true");
  await once(gone, "exit");
  await writeFile(join(dataDir, `terminal-${gone.pid}-1.waits`), "");
  const heard = await openScene(() => undefined);
  await run("tell", '{"event":1}');
  expect(heard.told).toEqual([]);
  await writeFile(join(dataDir, `terminal-${process.pid}-1.waits`), "");
  await run("tell", '{"event":2}');
  expect(heard.told).toEqual([{ event: 2 }]);
  expect(await run("pass", '{"call":1}')).toEqual({ code: 0, said: "" });
  await writeFile(join(dataDir, "terminal-a-b.passes"), "");
  expect((await run("pass", '{"call":2}')).said).toBe('{"passed":{"call":2}}');
});

test("[R-20] only its user reaches the socket, and what is too long or no JSON is refused", async () => {
  const heard = await openScene(() => undefined);
  expect((await stat(doorPath(dataDir))).mode & 0o777).toBe(0o600);
  const post = (path: string, body: string): Promise<number | undefined> =>
    new Promise((resolve) => {
      const options = { socketPath: doorPath(dataDir), path, method: "POST" };
      const sent = request(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", () => resolve(undefined));
      sent.end(body);
    });
  expect(await post("/ask/a-1", `"${"x".repeat(10 * 1024 * 1024)}"`)).toBeUndefined();
  expect(await post("/ask/a-1", "{")).toBeUndefined();
  for (const body of [`"${"x".repeat(2 * 1024 * 1024)}"`, "", "{", "[".repeat(100_000)]) {
    expect(await post("/pass", body)).toBeUndefined();
  }
  expect(await post("/ask/..%2f", "{}")).toBe(400);
  expect(await post("/nothing", "{}")).toBe(404);
  expect([heard.asked, heard.passed]).toEqual([[], []]);
});
