/*
 * The disk fills up at any moment of a run, or temporarily fails to write or to keep written data, and other programs
 * hold the database, for a while or for longer than the store waits. Checked: each append is acknowledged or rejected
 * with a typed error; acknowledged data exists and rejected data does not; logs have no gaps; and the store continues
 * as soon as it can.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

import { type Clock, createSystemClock, StoreError } from "@holdpoint/engine";
import { createSeededRandom } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { appendNumbered } from "./testing/append-numbered.ts";
import { type Child, startChild } from "./testing/child-process.ts";
import { expectAcknowledged } from "./testing/expect-acknowledged.ts";
import type { DiskFault } from "./testing/failing-calls.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const FAULTS = Number(process.env["CAMPAIGN_CASES"] ?? 10);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);
/** The speed factor of the clock, so that no test has to wait until the store gives up. */
const HASTE = 50;
const APPENDS = 12;
const SESSIONS = ["ses_a", "ses_b", "ses_c"];

type Random = () => number;
/** Tests one store with a fault. */
type Fault = (random: Random) => Promise<void>;

const KINDS: readonly Fault[] = [
  fillUp,
  (random) => holdFor(random, Math.floor(random() * 100)),
  (random) => holdFor(random, Infinity),
  (random) => failOn("write", random),
  (random) => failOn("sync", random),
];

test.skipIf(process.platform !== "linux")(
  `[R-2] ${FAULTS} full disks, failing disks and foreign locks lose and invent no append`,
  { timeout: 60_000 + FAULTS * 5000 },
  async ({ annotate }) => {
    const random = createSeededRandom(SEED);
    let tried = 0;
    for (; tried < FAULTS; tried += 1) await KINDS[tried % KINDS.length]!(random);
    expect(tried).toBe(FAULTS);
    await annotate(
      `${tried} full and failing disks and foreign locks, from the seed ${SEED}`,
      "cases",
    );
  },
);

test.skipIf(process.platform !== "linux")(
  "a disk that fails from the start is not reported as a damaged database",
  async () => {
    const dataDir = createTemporaryDir();
    const failing = { fault: "sync", trigger: dataDir } as const;
    await using child = startChild("appending-child.ts", [dataDir, "none"], { failing });
    const { code, stderr } = await child.ended();
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/StoreError: .* \(disk I\/O error\)\. Check its disk, or choose/u);
    await expectAcknowledged(dataDir, []);
  },
);

/** A file may not grow beyond some size, wherever that falls. */
async function fillUp(random: Random): Promise<void> {
  const dataDir = createTemporaryDir();
  const limitKiB = 400 + Math.floor(random() * 900);
  const bytes = Math.floor(random() * 20_000);
  await using child = startChild("appending-child.ts", [dataDir, "full", `${bytes}`], { limitKiB });
  expect(await child.ended()).toEqual({ code: 0, stderr: expect.any(String) });
  const [failed, closed] = child.lines.slice(-2);
  expect(failed).toMatch(/^failed STORE_FAILED /);
  expect(closed).toBe("closed");
  await expectAcknowledged(dataDir, acknowledgedBy(child));
}

/** The disk fails at some moment, and is sound again after another. */
async function failOn(fault: DiskFault, random: Random): Promise<void> {
  const dataDir = createTemporaryDir();
  const trigger = join(createTemporaryDir(), "now");
  const options = { failing: { fault, trigger } };
  await using child = startChild("appending-child.ts", [dataDir, "again", "100", "on"], options);
  // At least once: a store that the disk fails at its start is not opened at all.
  await child.said(1 + Math.floor(random() * 40));
  writeFileSync(trigger, "");
  const failed = (): number => child.lines.findIndex((line) => line.startsWith("failed"));
  while (failed() === -1) await child.said(child.lines.length + 1);
  expect(child.lines[failed()]).toBe(
    "failed STORE_FAILED Writing to the store failed (disk I/O error).",
  );
  rmSync(trigger);
  const before = acknowledgedBy(child).length;
  while (acknowledgedBy(child).length < before + 20) await child.said(child.lines.length + 1);
  await child.kill();
  await expectAcknowledged(dataDir, acknowledgedBy(child));
}

function acknowledgedBy({ lines }: Child): readonly string[] {
  return lines.filter((line) => line.startsWith("ses_"));
}

/** Another program holds the database while appends come in. */
async function holdFor(random: Random, holdMs: number): Promise<void> {
  const dataDir = createTemporaryDir();
  const acknowledged: string[] = [];
  const rejected: string[] = [];
  {
    await using store = await openSqliteStore({
      dataDir,
      clock: holdMs === Infinity ? createHastyClock() : createSystemClock(),
    });
    const append = async (name: string): Promise<void> => {
      const sessionId = SESSIONS[Math.floor(random() * SESSIONS.length)]!;
      await appendNumbered(store, { sessionId, name, bytes: 100 }).then(
        (line) => acknowledged.push(line),
        (error: unknown) => {
          expect(StoreError.isInstance(error)).toBe(true);
          rejected.push(name);
        },
      );
    };
    await append("before");
    using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
    other.exec("BEGIN IMMEDIATE");
    const appends = Array.from({ length: APPENDS }, async (_, index) => {
      await setTimeout(random() * 50);
      await append(`during-${index}`);
    });
    // Held without end: until all of them were given up.
    await (holdMs === Infinity ? Promise.all(appends) : setTimeout(holdMs));
    other.exec("ROLLBACK");
    await Promise.all(appends);
    await append("after");
  }
  expect(rejected).toHaveLength(holdMs === Infinity ? APPENDS : 0);
  expect(acknowledged.length + rejected.length).toBe(APPENDS + 2);
  expect(acknowledged.at(-1)).toMatch(/ after$/);
  await expectAcknowledged(dataDir, acknowledged);
  await using store = await openSqliteStore({ dataDir });
  const logs = await Promise.all(
    SESSIONS.map((sessionId) => store.readEvents(sessionId, { after: 0, limit: 100 })),
  );
  expect(logs.flat()).toHaveLength(acknowledged.length);
}

function createHastyClock(): Clock {
  const clock = createSystemClock();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() * HASTE,
    after: (durationMs, run) => clock.after(durationMs / HASTE, run),
    sleep: (durationMs, options) => clock.sleep(durationMs / HASTE, options),
  };
}
