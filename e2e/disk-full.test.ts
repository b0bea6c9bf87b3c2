import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { commandOf, TOKEN } from "./support/gateway-process.ts";

interface Ready {
  readonly url: string;
  readonly pid: number;
}

/** The real gateway on a disk of its own, which is small. */
async function startOnSmallDisk(folder: string) {
  const dataDir = join(folder, "data");
  for (const path of [dataDir, join(folder, "work")]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(folder, "token"), TOKEN, { mode: 0o600 });
  const gateway = commandOf(["--json", "--port", "0", "--data-dir", dataDir]);
  const script = `mount -t tmpfs -o size=8m,mode=700 none "$1" && shift && exec "$@"`;
  const child = spawn(
    "unshare",
    ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", dataDir, ...gateway],
    {
      cwd: join(folder, "work"),
      env: {
        ...process.env,
        XDG_CONFIG_HOME: join(folder, "none"),
        XDG_CACHE_HOME: join(folder, "cache"),
        HOLDPOINT_TOKEN_FILE: join(folder, "token"),
      },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  const { url, pid } = JSON.parse(String(value)) as Ready;
  const filler = join(`/proc/${pid}/root`, dataDir, "filler");
  return {
    api: new Api(url),
    /** Takes all the space that is left. */
    fill() {
      for (const bytes of [1 << 16, 1 << 12, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch {
          // It is full.
        }
      }
    },
    makeRoom: () => rmSync(filler),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("[R-2] on a full disk an answer and a message are refused, nothing of them is kept, and they go through once there is room", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-full-"));
  try {
    await using gateway = await startOnSmallDisk(folder);
    const { api } = gateway;
    const { sessionId } = await api.createSession({ agent: "demo" });
    await api.send(sessionId, "Ask me two questions");
    const { interactionId } = await pending(api, sessionId);
    const before = await api.events(sessionId);
    gateway.fill();

    const answer = { action: "submit", reply: `Rename them. ${"x".repeat(9000)}` } as const;
    const respond = async () => {
      const { status, body } = await api.respond(interactionId, answer);
      return { status, ...("code" in body && { code: body.code }) };
    };
    const send = async () => {
      const content = `And this? ${"y".repeat(9000)}`;
      const path = `/sessions/${sessionId}/messages`;
      const { status, body } = await api.call<object>("POST", path, { content, queue: true });
      return { status, ...("code" in body && { code: body.code }) };
    };
    const refused = { status: 503, code: "STORE_UNAVAILABLE" };
    for (let press = 0; press < 3; press += 1) expect(await respond()).toEqual(refused);
    expect(await send()).toEqual(refused);
    expect(await api.interaction(interactionId)).toMatchObject({ status: "pending" });
    expect(await api.events(sessionId)).toEqual(before);

    gateway.makeRoom();
    expect(await respond()).toEqual({ status: 200 });
    await until(
      async () => (await api.interaction(interactionId)).status === "delivered",
      "the delivery",
    );
    const events = await api.events(sessionId);
    const responses = events.filter(({ type }) => type === "interaction_response");
    expect(responses).toMatchObject([{ interactionId, reply: answer.reply }]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect((await send()).status).toBeLessThan(300);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
