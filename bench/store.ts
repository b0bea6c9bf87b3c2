// What the store costs beside the same commits of bare node:sqlite, the two taking turns, so that both meet the same disk.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";

import type { Batch, Store } from "../packages/engine/src/index.ts";
import { openSqliteStore } from "../packages/store-sqlite/src/index.ts";

const ROUNDS = 7;
const SEQUENTIAL = 1_000;
/** Until the write-ahead log has its full length, commits cost more, in both. */
const WARM_UP = 1_200;
const GROUPS = 100;
const GROUP_SIZE = 64;
const REPLAYED = 100_000;
const AT = "2025-01-01T00:00:00.000Z";
const SESSION = "ses_0123456789abcdef0123456789abcdef";
const EVENT = {
  at: AT,
  type: "assistant_message",
  messageId: "msg_0123456789abcdef0123456789abcdef",
  channel: "text",
  text: "x".repeat(200),
} as const;
const BATCH: Batch = { sessionId: SESSION, events: [EVENT] };

/** One way to append: once, or many at a time. */
interface Subject extends AsyncDisposable {
  appendOne(): Promise<void>;
  appendGroup(size: number): Promise<void>;
}

async function openStore(dataDir: string): Promise<Subject & { store: Store }> {
  const store = await openSqliteStore({ dataDir });
  await store.append({
    sessionId: SESSION,
    session: {
      sessionId: SESSION,
      agent: "demo",
      cwd: "/",
      title: "",
      permissionMode: "default",
      status: "running",
      createdAt: AT,
      updatedAt: AT,
    },
  });
  return {
    store,
    async appendOne() {
      await store.append(BATCH);
    },
    async appendGroup(size) {
      await Promise.all(Array.from({ length: size }, () => store.append(BATCH)));
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function openBare(dataDir: string): Promise<Subject> {
  const database = new DatabaseSync(join(dataDir, "bare.db"));
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE events (session_id TEXT, seq INTEGER, json TEXT, PRIMARY KEY (session_id, seq));
  `);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const insert = database.prepare("INSERT INTO events VALUES (?, ?, ?)");
  const commit = database.prepare("COMMIT");
  let seq = 0;
  const write = (count: number): void => {
    begin.run();
    for (let index = 0; index < count; index += 1) {
      seq += 1;
      insert.run(SESSION, seq, JSON.stringify({ seq, ...EVENT }));
    }
    commit.run();
  };
  return {
    appendOne: async () => write(1),
    appendGroup: async (size) => write(size),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

interface Figures {
  /** Median of one append, each in a turn of the event loop of its own, as with requests that come one by one. */
  readonly appendMicros: number;
  readonly groupedPerSecond: number;
}

async function measure(): Promise<{ store: Figures; bare: Figures }> {
  const dataDir = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
  try {
    await using store = await openStore(dataDir);
    await using bare = await openBare(dataDir);
    const subjects = [store, bare];
    for (const subject of subjects) {
      for (let index = 0; index < WARM_UP; index += 1) await subject.appendOne();
    }
    const singles = await time(subjects, SEQUENTIAL, (subject) => subject.appendOne());
    const groups = await time(subjects, GROUPS, (subject) => subject.appendGroup(GROUP_SIZE));
    const [storeFigures, bareFigures] = subjects.map((_, index) => ({
      appendMicros: median(singles[index]!) * 1000,
      groupedPerSecond: (GROUP_SIZE * 1000) / median(groups[index]!),
    }));
    return { store: storeFigures!, bare: bareFigures! };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Milliseconds of each run, for each subject. */
async function time(
  subjects: readonly Subject[],
  count: number,
  run: (subject: Subject) => Promise<void>,
): Promise<number[][]> {
  const durations = subjects.map((): number[] => []);
  for (let index = 0; index < count; index += 1) {
    for (const [position, subject] of subjects.entries()) {
      await setImmediate();
      const start = performance.now();
      await run(subject);
      durations[position]!.push(performance.now() - start);
    }
  }
  return durations;
}

async function measureReplay(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
  try {
    await using subject = await openStore(dataDir);
    const events = Array.from({ length: 1_000 }, () => EVENT);
    for (let count = 0; count < REPLAYED; count += events.length) {
      await subject.store.append({ sessionId: SESSION, events });
    }
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      let after = 0;
      for (;;) {
        const page = await subject.store.readEvents(SESSION, { after, limit: 1_000 });
        const last = page.at(-1);
        if (!last) break;
        after = last.seq;
      }
      rates.push(REPLAYED / ((performance.now() - start) / 1000));
    }
    return median(rates);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const rounds: { store: Figures; bare: Figures }[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure());

function row(pick: (figures: Figures) => number, digits: number) {
  return {
    store: median(rounds.map(({ store }) => pick(store))).toFixed(digits),
    bare: median(rounds.map(({ bare }) => pick(bare))).toFixed(digits),
    ratio: median(rounds.map(({ store, bare }) => pick(store) / pick(bare))).toFixed(2),
  };
}

console.table({
  "one append, µs (p50)": row(({ appendMicros }) => appendMicros, 1),
  [`${GROUP_SIZE} at once, events/s`]: row(({ groupedPerSecond }) => groupedPerSecond, 0),
  "replay, events/s": { store: (await measureReplay()).toFixed(0), bare: "", ratio: "" },
});
