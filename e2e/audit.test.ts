import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, onTestFinished, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { spawnGateway, startGateway } from "./support/gateway-process.ts";

async function audit(...args: string[]) {
  const child = spawnGateway(["audit", ...args], { cwd: tmpdir() });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}

test("an answer is exported while the gateway runs, and a changed export is refused with exit code 1", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "export.jsonl");
  await using gateway = await startGateway();
  const api = new Api(gateway.url, { clientId: "desk" });
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Ask me two questions");
  const { interactionId } = await pending(api, sessionId);
  await api.respond(interactionId, { action: "submit", reply: "Exactly this" });
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "the delivery",
  );
  const done = await audit("export", "--data-dir", gateway.dataDir, "--out", file);
  expect(done).toMatchObject({ code: 0, stdout: "" });
  expect(done.stderr).toMatch(/^Exported 1 session with \d+ events\.\nSHA-256: [\da-f]{64}\n/u);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const content = readFileSync(file, "utf8");
  const record = content.split("\n").find((line) => line.startsWith('{"type":"interaction"'));
  expect(JSON.parse(record ?? "")).toMatchObject({
    interactionId,
    sessionId,
    agent: "demo",
    by: { clientId: "desk" },
    said: { action: "submit", reply: "Exactly this" },
    delivery: "resumed",
  });
  expect(await audit("verify", file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Each byte is as it was exported."),
  });
  writeFileSync(file, content.replaceAll("Exactly this", "Exactly that"));
  expect(await audit("verify", file)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^! Line \d+ does not match the lines before it\.\n$/u),
  });
  expect(await audit("verify")).toMatchObject({ code: 2 });
});
