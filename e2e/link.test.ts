import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { spawnGateway, startGateway } from "./support/gateway-process.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-link-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `holdpoint link` to its end. */
async function link(dataDir: string) {
  const child = spawnGateway(["link", "--data-dir", dataDir], { cwd: folder });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Trades the code of a launch link for a token; resolves with the status. */
async function exchange(launchUrl: string): Promise<number> {
  const { origin, hash } = new URL(launchUrl);
  const { status } = await fetch(`${origin}/api/auth/exchange`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: hash.replace("#code=", "") }),
  });
  return status;
}

describe("holdpoint link", () => {
  test("shows another link in the gateway's own terminal, and none to who asked", async () => {
    const dataDir = join(folder, "data");
    const work = join(folder, "work");
    await mkdir(work);
    const args = ["--no-open", "--port", "0", "--data-dir", dataDir];
    // Node takes the pipe for a terminal.
    const env = { NODE_OPTIONS: "--import=data:text/javascript,process.stdout.isTTY=true" };
    const gateway = spawnGateway(args, { cwd: work, env });
    const exited = once(gateway, "exit");
    try {
      const lines = createInterface({ input: gateway.stdout! })[Symbol.asyncIterator]();
      const nextLink = async (): Promise<string> => {
        for (;;) {
          const { value, done } = await lines.next();
          if (done === true) throw new Error("The gateway ended without a link.");
          const [found] = /http\S+#code=\S+/.exec(value) ?? [];
          if (found !== undefined) return found;
        }
      };
      const first = await nextLink();
      const asked = await link(dataDir);
      expect(asked).toMatchObject({ code: 0, stderr: "" });
      expect(asked.stdout).not.toContain("code=");
      const second = await nextLink();
      expect(second).not.toBe(first);
      const used = [await exchange(second), await exchange(second), await exchange(first)];
      expect(used).toEqual([200, 401, 200]);
    } finally {
      gateway.kill("SIGTERM");
      await exited;
    }
  });

  test("[R-13] is refused where the gateway has no terminal, so that no agent reads a link", async () => {
    await using gateway = await startGateway();
    const rest = text(gateway.process.stdout!);
    const { code, stdout, stderr } = await link(gateway.dataDir);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^holdpoint: [^\n]*terminal[^\n]*\n$/);
    const socket = connect(join(gateway.dataDir, "control.sock"));
    socket.end(JSON.stringify({ command: "link" }));
    expect(JSON.parse(await text(socket))).toEqual({ error: expect.any(String) });
    await gateway.stop("SIGTERM");
    expect(await rest).toBe("");
  });
});
