import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import type { Ask } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { Api } from "./support/api.ts";
import { spawnGateway, startGateway, TOKEN } from "./support/gateway-process.ts";

async function run(args: readonly string[]) {
  const child = spawnGateway(args, { cwd: tmpdir() });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}

/** A token for a program that asks. */
async function agentToken(dataDir: string): Promise<{ token: string; sessionId: string }> {
  const socket = connect(join(dataDir, "control.sock"));
  socket.end(JSON.stringify({ command: "agent-token", label: "Load" }));
  return JSON.parse(await text(socket)) as { token: string; sessionId: string };
}

/** The first frame of a session's stream for a page that was connected before. */
async function firstFrame(url: string, sessionId: string, lastEventId: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/sessions/${sessionId}/events`, {
    headers: { authorization: `Bearer ${TOKEN}`, "last-event-id": lastEventId },
  });
  const reader = answer.body!.getReader();
  for (let seen = ""; ;) {
    const { value, done } = await reader.read();
    seen += Buffer.from(value ?? []).toString();
    const [, data] = /^data: (.*)$/mu.exec(seen) ?? [];
    if (data === undefined && !done) continue;
    await reader.cancel();
    return JSON.parse(data ?? "{}");
  }
}

test("[R-2] a backup under load, restored after a kill, has every answer that was acknowledged before it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-backup-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  const [file, restored] = [join(folder, "backup.db"), join(folder, "restored")];
  await using gateway = await startGateway();
  const { token, sessionId } = await agentToken(gateway.dataDir);
  const [asking, person] = [new Api(gateway.url, { token }), new Api(gateway.url)];

  const acknowledged: string[] = [];
  const enough = new AbortController();
  const load = (async () => {
    for (let index = 0; !enough.signal.aborted; index += 1) {
      const body = { kind: "approval", label: `step ${index}`, prompt: "Go on?" };
      const { body: ask } = await asking.call<Ask>("POST", "/asks", body);
      const answer = await person.respond(ask.interactionId, { action: "deny" });
      if (answer.status === 200) acknowledged.push(ask.interactionId);
    }
  })();
  await expect.poll(() => acknowledged.length).toBeGreaterThan(10);
  const before = [...acknowledged];
  const backup = await run(["backup", file, "--data-dir", gateway.dataDir, "--json"]);
  expect(backup).toMatchObject({ code: 0, stderr: "" });
  const { epoch } = (await person.call<{ epoch: string }>("GET", `/sessions/${sessionId}/events`))
    .body;
  enough.abort();
  await load;
  expect(acknowledged.length).toBeGreaterThan(before.length);
  await gateway.stop("SIGKILL");

  const again = await run(["backup", file, "--data-dir", gateway.dataDir]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("already exists") });
  const back = await run(["restore", file, "--data-dir", restored, "--json"]);
  expect(JSON.parse(back.stdout)).toEqual(JSON.parse(backup.stdout));
  await using next = await startGateway({ dataDir: restored });
  const api = new Api(next.url);
  for (const interactionId of before) {
    expect(await api.interaction(interactionId)).toMatchObject({
      status: expect.stringMatching(/^(answered|delivered)$/),
      response: { action: "deny" },
    });
  }
  expect(await firstFrame(next.url, sessionId, `${epoch}.1`)).toMatchObject({ type: "reset" });
  // Everyone with a token has to sign in again: the secret behind the tokens was not in the backup.
  const { status } = await new Api(next.url, { token }).call("GET", "/asks/int_1");
  expect(status).toBe(401);
});

test("backup and restore name the Postgres tools to use for a store in Postgres", async () => {
  for (const [command, tool] of [
    ["backup", "pg_dump"],
    ["restore", "pg_restore"],
  ] as const) {
    const said = await run([command, "file", "--store", "postgres://user:secret@127.0.0.1/none"]);
    expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining(tool) });
    expect(said.stderr).not.toContain("secret");
  }
});
