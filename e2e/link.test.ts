import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { signInDevice } from "./support/api-device.ts";
import { spawnGateway, startGateway } from "./support/gateway-process.ts";

let folder: string;
let work: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-link-"));
  // The data folders are next to it.
  work = join(folder, "work");
  await mkdir(work);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `holdpoint link`, or `holdpoint pair`, to its end. */
async function run(command: "link" | "pair", dataDir: string) {
  const child = spawnGateway([command, "--data-dir", dataDir], { cwd: folder });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Asks over the control socket, as any program of this user can. */
async function ask(dataDir: string, command: string): Promise<unknown> {
  const socket = connect(join(dataDir, "control.sock"));
  socket.end(JSON.stringify({ command }));
  return JSON.parse(await text(socket));
}

/** A gateway that takes a pipe for its terminal, with the output it writes there. */
async function withTerminal(
  args: readonly string[],
  use: (terminal: {
    readonly next: (pattern: RegExp) => Promise<string>;
    /** The gateway's own address, even if devices use another one. */
    readonly url: Promise<string>;
  }) => Promise<void>,
): Promise<void> {
  // Makes Node take the pipe for a terminal.
  const options = "--import=data:text/javascript,process.stdout.isTTY=true";
  const env = { NODE_OPTIONS: options, HOLDPOINT_LOG: "info" };
  const gateway = spawnGateway(["--no-open", "--port", "0", ...args], { cwd: work, env });
  const exited = once(gateway, "exit");
  const listening = Promise.withResolvers<string>();
  let logged = "";
  gateway.stderr?.on("data", (chunk: Buffer) => {
    logged += chunk.toString();
    const [, url] = /"url":"(http[^"]+)","msg":"listening"/.exec(logged) ?? [];
    if (url !== undefined) listening.resolve(url);
  });
  try {
    const lines = createInterface({ input: gateway.stdout! })[Symbol.asyncIterator]();
    const next = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`The gateway ended without ${String(pattern)}.`);
        const [found] = pattern.exec(value) ?? [];
        if (found !== undefined) return found;
      }
    };
    await use({ next, url: listening.promise });
  } finally {
    gateway.kill("SIGTERM");
    await exited;
  }
}

const LINK = /http\S+#code=\S+/;
const CODE = /(?<=Code {6})[34679ACDEFGHJKMNPRTWXY-]{11}$/;

/** Signs in a device with a launch link; returns false when the link is not valid. */
async function signsIn(launchUrl: string): Promise<boolean> {
  return signInDevice(launchUrl).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: "UNAUTHENTICATED" });
      return false;
    },
  );
}

describe("holdpoint link", () => {
  test("shows another link in the gateway's own terminal, and none to the caller", async () => {
    const dataDir = join(folder, "data");
    await withTerminal(["--data-dir", dataDir], async ({ next }) => {
      const first = await next(LINK);
      const asked = await run("link", dataDir);
      expect(asked).toMatchObject({ code: 0, stderr: "" });
      expect(asked.stdout).not.toContain("code=");
      const second = await next(LINK);
      expect(second).not.toBe(first);
      const used = [await signsIn(second), await signsIn(second), await signsIn(first)];
      expect(used).toEqual([true, false, true]);
    });
  });

  test("invalidates no unused link when run 70 times", async () => {
    const dataDir = join(folder, "flooded");
    await withTerminal(["--data-dir", dataDir], async ({ next }) => {
      const first = await next(LINK);
      const answers: unknown[] = [];
      for (let asked = 0; asked < 70; asked += 1) answers.push(await ask(dataDir, "link"));
      const texts = answers.map((answer) => JSON.stringify(answer));
      expect(texts.filter((answer) => answer === '{"shown":true}')).toHaveLength(63);
      expect(
        texts.slice(63).filter((answer) => answer.includes("64 unused launch links")),
      ).toHaveLength(7);
      expect(await signsIn(first)).toBe(true);
    });
  });

  test.each(["link", "pair"] as const)(
    "[R-13] %s is refused when the gateway has no terminal, so that no agent reads it",
    async (command) => {
      await using gateway = await startGateway();
      const rest = text(gateway.process.stdout!);
      const { code, stdout, stderr } = await run(command, gateway.dataDir);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^holdpoint: [^\n]*terminal[^\n]*\n$/);
      expect(await ask(gateway.dataDir, command)).toEqual({ error: expect.any(String) });
      await gateway.stop("SIGTERM");
      expect(await rest).toBe("");
    },
  );
});

describe("holdpoint pair", () => {
  test("shows a code in the gateway's own terminal, and none to the caller", async () => {
    const dataDir = join(folder, "paired");
    await withTerminal(["--data-dir", dataDir], async ({ next }) => {
      const { origin } = new URL(await next(LINK));
      const asked = await run("pair", dataDir);
      expect(asked).toMatchObject({ code: 0, stderr: "" });
      const code = await next(CODE);
      expect(asked.stdout).not.toContain(code);
      const url = `${origin}/#code=${code}`;
      const both = await Promise.all([signsIn(url), signsIn(url)]);
      expect(both.filter((isIn) => isIn)).toHaveLength(1);
    });
  });

  test("ends its code after five wrong guesses, and only the terminal shows that", async () => {
    const dataDir = join(folder, "guessed");
    const address = ["--public-url", "https://desk.example", "--trust-proxy", "10.0.0.1"];
    await withTerminal(["--data-dir", dataDir, ...address], async ({ next, url }) => {
      await next(LINK);
      const own = await url;
      for (let more = 0; more < 6; more += 1) await ask(dataDir, "pair");
      const code = await next(CODE);
      await next(/█/);
      const wrong = Array.from("34679", (letter) => `AAA-AAA-AA${letter}`);
      for (const guess of wrong) {
        expect(await signsIn(`${own}/#code=${guess}`)).toBe(false);
      }
      await next(/4 tries are left/);
      await next(/1 try is left/);
      await next(/all codes are void/);
      expect(await signsIn(`${own}/#code=${code}`)).toBe(false);
    });
  });
});
