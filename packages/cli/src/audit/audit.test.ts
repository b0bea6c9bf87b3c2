import { execFile } from "node:child_process";
import { createHash, hash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

import { type Batch, CHAIN_START, chainText, type Store } from "@holdpoint/engine";
import { createSeededRandom, creation, interactionRow } from "@holdpoint/engine/testing";
import type { UnplacedEvent } from "@holdpoint/protocol";
import { openSqliteStore } from "@holdpoint/store-sqlite";
import { expect, onTestFinished, test } from "vitest";

import { audit, type Audited } from "../commands/audit.ts";
import { endLine } from "./audit-lines.ts";

const run = promisify(execFile);
const PROGRAM = new URL("../../../../examples/verify-audit/verify_audit.py", import.meta.url)
  .pathname;
const HOSTILE = '\u001b]0;x\u0007 "event":{} \u2028 Straße \ud800';
const SIGNED_IN = { how: "launch_code", at: "2024-12-31T00:00:00.000Z" } as const;
const BY = {
  person: "Ada",
  client: "phone",
  signedIn: SIGNED_IN,
  at: "2025-01-01T00:00:01.000Z",
};
const AT = "2025-01-01T00:00:00.000Z";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "holdpoint-audit-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function message(content: string): UnplacedEvent {
  return { at: AT, type: "user_message", messageId: "msg_1", content, origin: "person" };
}

const ids = (interactionId: string) => ({ at: AT, turnId: "trn_1", interactionId });

function requestOf(sessionId: string, interactionId: string): UnplacedEvent {
  const { interaction } = interactionRow(sessionId, interactionId, { prompt: HOSTILE });
  return { at: AT, turnId: "trn_1", type: "interaction_request", interaction };
}

/**
 * Interactions that are answered, denied and overruled, open, or decided by a rule, with texts that imitate other
 * data.
 */
async function fill(store: Store): Promise<void> {
  const sessionId = "ses_1";
  const batches: Batch[] = [
    creation("ses_empty"),
    creation(sessionId, { title: HOSTILE, agent: "claude" }),
    { sessionId, events: [message(HOSTILE), requestOf(sessionId, "int_1")] },
    {
      sessionId,
      events: [
        {
          ...ids("int_1"),
          type: "interaction_response",
          action: "submit",
          values: { name: "Ada" },
          redacted: ["password"],
          by: BY,
        },
        { ...ids("int_1"), type: "interaction_delivered", how: "resumed" },
      ],
    },
    {
      sessionId,
      events: [
        requestOf(sessionId, "int_2"),
        { ...ids("int_2"), type: "interaction_response", action: "deny", reason: "No", by: BY },
        { ...ids("int_2"), type: "interaction_delivered", how: "resumed" },
        { ...ids("int_2"), type: "interaction_overruled" },
        {
          at: AT,
          type: "grant_used",
          grantId: "gnt_1",
          toolCallId: "call_9",
          toolName: "Bash",
          verdict: "deny",
        },
        requestOf(sessionId, "int_3"),
      ],
    },
    creation("ses_2", {
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
    }),
    { sessionId: "ses_2", events: [message("a"), message("b"), message("c")] },
  ];
  for (const batch of batches) expect((await store.append(batch)).status).toBe("appended");
}

async function filled(): Promise<string> {
  const dataDir = folder();
  await using store = await openSqliteStore({ dataDir });
  await fill(store);
  return dataDir;
}

async function call(words: string, flags: object = {}): Promise<Audited & { output: string }> {
  const output = new PassThrough();
  const options = { words: words.split(" "), dataDir: "/nowhere", now: AT, ...flags };
  const done = await audit(options, output as unknown as NodeJS.WriteStream);
  output.end();
  return { ...done, output: await text(output) };
}

async function exported(dataDir: string, flags: object = {}): Promise<string> {
  return (await call("export", { dataDir, ...flags })).output;
}

function fileOf(content: string | Uint8Array): string {
  const path = join(folder(), "export.jsonl");
  writeFileSync(path, content);
  return path;
}

const verify = (content: string | Uint8Array, flags: object = {}) =>
  call(`verify ${fileOf(content)}`, flags);

/**
 * Checks each file and the hashes it must contain; prints which are valid. One process for all, since it starts
 * slowly.
 */
const DRIVER = `
import io, json, sys
sys.path.insert(0, sys.argv[1])
import verify_audit
def is_right(content, heads):
    try:
        verify_audit.verify(io.BytesIO(content), heads)
        return True
    except ValueError:
        return False
`;

async function python(files: readonly (readonly [string, string[]?])[]): Promise<boolean[]> {
  const asked = fileOf(JSON.stringify(files));
  const all =
    "[is_right(file[0].encode(), (file + [[]])[1]) for file in json.load(open(sys.argv[2]))]";
  const args = ["-c", `${DRIVER}print(json.dumps(${all}))`, join(PROGRAM, ".."), asked];
  return JSON.parse((await run("python3", args)).stdout) as boolean[];
}

/** Adds the correct last line, as someone who wants to hide a change would. */
function resealed(lines: readonly string[]): string {
  const all = lines.map((line) => `${line}\n`).join("");
  return `${all}${endLine(lines.length, createHash("sha256").update(all).digest("hex"))}\n`;
}

const linesOf = (content: string): string[] => content.trimEnd().split("\n").slice(0, -1);

/** Recomputes the hash of each event. */
function rechained(lines: readonly string[]): string[] {
  let previous = CHAIN_START;
  let key = "";
  let seq = 0;
  return lines.map((line) => {
    const { type, ...entry } = JSON.parse(line) as Record<string, string>;
    if (type === "session") [previous, key, seq] = [CHAIN_START, String(entry["key"]), 0];
    if (type === "head") return JSON.stringify({ type, ...entry, seq, hash: previous });
    if (type !== "event") return line;
    seq += 1;
    const json = JSON.stringify({ ...(entry["event"] as unknown as object), seq });
    previous = hash("sha256", chainText({ previous, key, seq, json }));
    return `{"type":"event","seq":${seq},"hash":"${previous}","event":${json}}`;
  });
}

test("an export has each question, its people, its answer and its outcome, in the store's exact bytes", async () => {
  const dataDir = await filled();
  const content = await exported(dataDir);
  const entries = linesOf(content).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries[0]).toMatchObject({ type: "export", format: 1, whole: true });
  const about = entries.filter(({ type }) => !["event", "head"].includes(String(type)));
  expect(about.slice(1)).toMatchObject([
    { type: "session", sessionId: "ses_empty", events: 0 },
    { type: "session", sessionId: "ses_1", key: "ses_1", title: HOSTILE, events: 10 },
    {
      type: "interaction",
      interactionId: "int_1",
      agent: "claude",
      shown: { seq: 2, hash: entries.find(({ seq }) => seq === 2)?.["hash"] },
      status: "delivered",
      by: BY,
      said: { action: "submit", values: { name: "Ada" }, redacted: ["password"] },
      delivery: "resumed",
      steps: [
        { what: "answered", seq: 3, at: AT },
        { what: "delivered", seq: 4 },
      ],
    },
    { type: "interaction", interactionId: "int_2", said: { action: "deny", reason: "No" } },
    { type: "later", interactionId: "int_2", what: "interaction_overruled", seq: 8 },
    { type: "automatic", toolName: "Bash", grantId: "gnt_1", verdict: "deny" },
    { type: "interaction", interactionId: "int_3", status: "pending" },
    { type: "session", sessionId: "ses_2", events: 3 },
  ]);
  // Bytes in an event are the store's.
  await using store = await openSqliteStore({ dataDir });
  const stored = await store.readEvents("ses_1", { after: 0, limit: 99 });
  for (const { json } of stored) expect(content).toContain(`,"event":${json}}\n`);
  expect(await verify(content)).toMatchObject({ isRight: true });
  expect(await exported(dataDir), "beside a store that is open").toBe(content);
});

test("the Python verifier accepts a whole file, and exits with 1 for a changed one", async () => {
  const content = await exported(await filled());
  expect((await run("python3", [PROGRAM, fileOf(content)])).stdout).toMatch(/^\d+ lines, each/u);
  const changed = run("python3", [PROGRAM, fileOf(content.replace("Ada", "Bob"))]);
  await expect(changed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^! line/u),
  });
});

test("both verifiers find each flipped bit, anywhere in the file", async ({ annotate }) => {
  const bytes = Buffer.from(await exported(await filled()));
  const random = createSeededRandom(7);
  const next = (below: number): number => Math.floor(random() * below);
  const flips = Array.from({ length: 400 }, () => [next(bytes.length), next(8)] as const);
  // Including the very last bytes, which cover all others.
  for (let at = bytes.length - 90; at < bytes.length; at += 1) flips.push([at, next(8)]);
  let found = 0;
  const path = fileOf("");
  for (const [at, bit] of flips) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1 << bit;
    writeFileSync(path, changed);
    if (!(await call(`verify ${path}`)).isRight) found += 1;
  }
  expect(found).toBe(flips.length);
  const driver = `${DRIVER}
content = open(sys.argv[2], "rb").read()
found = 0
for at, bit in json.loads(sys.argv[3]):
    changed = bytearray(content)
    changed[at] ^= 1 << bit
    found += not is_right(changed, [])
print(found if is_right(content, []) else "the file itself is refused")`;
  const args = ["-c", driver, join(PROGRAM, ".."), fileOf(bytes), JSON.stringify(flips)];
  expect(Number((await run("python3", args)).stdout)).toBe(flips.length);
  await annotate(`${flips.length * 2} flipped bits`, "cases");
});

const FORGERIES: [string, (lines: string[]) => string[]][] = [
  [
    "an event that was changed",
    (lines) => lines.map((line) => line.replace('"content":"b"', '"content":"x"')),
  ],
  [
    "an event that was taken out",
    (lines) => lines.filter((line) => !line.includes('"content":"b"')),
  ],
  [
    "an event that stands there twice",
    (lines) => lines.flatMap((line) => (line.includes('"content":"b"') ? [line, line] : [line])),
  ],
  [
    "two events in another order",
    (lines) => {
      const at = lines.findIndex((line) => line.includes('"content":"b"'));
      return lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!);
    },
  ],
  ["the last event cut off", (lines) => lines.filter((line) => !line.includes('"content":"c"'))],
  [
    "a log under the name of another session",
    (lines) => lines.map((line) => line.replaceAll('"ses_2"', '"ses_9"')),
  ],
  [
    "another head",
    (lines) =>
      lines.with(
        lines.length - 1,
        lines
          .at(-1)!
          .replace(/"hash":"."/u, '"hash":"0"')
          .replace(/[\da-f]{9}"\}$/u, '012345678"}'),
      ),
  ],
  ["a session without its head", (lines) => lines.slice(0, -1)],
];

test("each forgery is found, even if the end of the file fits", async ({ annotate }) => {
  const lines = linesOf(await exported(await filled()));
  const files = FORGERIES.map(([, forge]) => resealed(forge([...lines])));
  for (const [index, [name]] of FORGERIES.entries()) {
    expect(files[index]).not.toBe(resealed(lines));
    expect([name, (await verify(files[index]!)).isRight]).toEqual([name, false]);
  }
  expect(await verify(resealed(lines))).toMatchObject({ isRight: true });
  const rights = await python([...files, resealed(lines)].map((file) => [file] as const));
  expect(rights).toEqual([...FORGERIES.map(() => false), true]);
  await annotate(`${FORGERIES.length} forgeries`, "cases");
});

test("a line about an interaction that contradicts its events is found", async () => {
  const lines = linesOf(await exported(await filled()));
  const forged = lines.map((line) =>
    line.startsWith('{"type":"interaction"')
      ? line.replace('"reason":"No"', '"reason":"Yes"')
      : line,
  );
  expect(await verify(resealed(forged))).toMatchObject({
    isRight: false,
    said: expect.stringMatching(/^! Line \d+ does not match the events\.\n$/u),
  });
});

test("a rewritten or truncated log with valid hashes, and a missing session, are found with earlier heads", async () => {
  const dataDir = await filled();
  const before = await exported(dataDir);
  const earlier = fileOf(before);
  {
    await using store = await openSqliteStore({ dataDir });
    await store.append({ sessionId: "ses_2", events: [message("d")] });
  }
  const lines = linesOf(await exported(dataDir));
  expect(await verify(resealed(lines), { heads: earlier })).toMatchObject({ isRight: true });
  const anew = rechained(lines.map((line) => line.replace('"content":"b"', '"content":"x"')));
  const cut = rechained(
    lines
      .filter((line) => !/"content":"[cd]"/u.test(line))
      .map((line) => line.replace('"events":4', '"events":2')),
  );
  const start = lines.findIndex((line) => line.startsWith('{"type":"session","sessionId":"ses_2"'));
  const head = linesOf(before).at(-1)!;
  const { hash: headHash } = JSON.parse(head) as { hash: string };
  const files = [anew, cut, lines.slice(0, start)].map(resealed);
  for (const forged of files) {
    expect(await verify(forged), "nothing in the file itself tells").toMatchObject({
      isRight: true,
    });
    expect(await verify(forged, { heads: earlier })).toMatchObject({
      isRight: false,
      said: expect.stringMatching(/! The head of session ses_2 at event 3, [\da-f]{64} is not in/u),
    });
    expect(await verify(forged, { head: [headHash] })).toMatchObject({ isRight: false });
  }
  expect(await python(files.map((file) => [file] as const))).toEqual([true, true, true]);
  const withHead = [...files, resealed(lines)].map((file) => [file, [headHash]] as const);
  expect(await python(withHead.map(([file, heads]) => [file, [...heads]]))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  const broken = fileOf(before.replace("Ada", "Bob"));
  expect(await verify(resealed(lines), { heads: broken })).toMatchObject({ isRight: false });
});

test("sessions are chosen by id and by time, and come whole", async () => {
  const dataDir = await filled();
  const sessions = async (flags: object) =>
    linesOf(await exported(dataDir, flags)).flatMap((line) => {
      const { type, sessionId } = JSON.parse(line) as Record<string, unknown>;
      return type === "session" ? [sessionId] : [];
    });
  expect(await sessions({ session: "ses_1" })).toEqual(["ses_1"]);
  expect(await sessions({ since: "2025-06-01" })).toEqual(["ses_2"]);
  expect(await sessions({ until: "2025-06-01T00:00:00Z" })).toEqual(["ses_empty", "ses_1"]);
  expect(await sessions({ since: "2027-01-01" })).toEqual([]);
  const part = await exported(dataDir, { session: "ses_2" });
  expect(await verify(part)).toMatchObject({
    isRight: true,
    said: expect.stringMatching(/^A part of the sessions: 1 session, 3 events\.\n/u),
  });
  await expect(exported(dataDir, { session: "ses_none" })).rejects.toThrow(/no session ses_none/u);
});

test.each([
  ["", {}, /^Missing export or verify\. Usage: holdpoint audit export/u],
  ["verify", {}, /^Missing FILE\. Usage: /u],
  ["export more", {}, /do not go with export\. Usage: /u],
  ["export", { head: ["a"] }, /do not go with export\. Usage: /u],
  ["verify a", { since: "2025-01-01" }, /do not go with verify\. Usage: /u],
  ["export", { since: "yesterday" }, /^Invalid --since "yesterday"/u],
  ["export", { until: "2025-13-01" }, /^Invalid --until/u],
  ["export", { out: PROGRAM }, /There is already a file/u],
  ["export", {}, /There is no store/u],
  ["verify /nowhere/export.jsonl", {}, /cannot be read \(ENOENT\)/u],
  ["verify a", { head: ["xyz"] }, /^Invalid --head "xyz"/u],
])("audit %s %j reports the mistake", async (words, flags, message) => {
  await expect(call(words, flags)).rejects.toThrow(message);
});

test("a file is written whole or not at all, and only its owner can read it", async () => {
  const dataDir = await filled();
  const out = join(folder(), "out.jsonl");
  await call("export", { dataDir, out });
  expect(readFileSync(out, "utf8")).toBe(await exported(dataDir));
  const none = join(folder(), "none.jsonl");
  await expect(call("export", { dataDir, out: none, session: "ses_none" })).rejects.toThrow(
    /no session/u,
  );
  expect(() => readFileSync(none)).toThrow(/ENOENT/u);
  expect(() => readFileSync(`${none}.part`)).toThrow(/ENOENT/u);
  await expect(call("export", { dataDir, out: "/nowhere/out" })).rejects.toThrow(
    /cannot be written/u,
  );
});
