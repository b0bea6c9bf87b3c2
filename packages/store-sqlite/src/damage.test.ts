/*
 * The files of a store are damaged in the ways of disks and people: a page is overwritten, a file is cut, or it is
 * gone. Checked: either opening or reading reports a typed error, or everything acknowledged is there. Nothing is
 * lost silently.
 */
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { StoreError } from "@holdpoint/engine";
import { createSeededRandom } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { startChild } from "./testing/child-process.ts";
import { readAcknowledged } from "./testing/expect-acknowledged.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const DAMAGES = Number(process.env["CAMPAIGN_CASES"] ?? 60);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);
const PAGE_BYTES = 4096;
/** The number of steps of three sessions each, with texts that need no separate page. */
const STEPS = 150;

/** The loss of data committed in the last second before a crash cannot be distinguished from a crash. */
const SETTLED_MS = 3000;

type Damage = (file: string, random: () => number) => void;

const garbage: Damage = (file, random) =>
  overwritePage(file, random, () => Math.floor(random() * 256));
const zeros: Damage = (file, random) => overwritePage(file, random, () => 0);

const cut: Damage = (file, random) =>
  truncateSync(file, Math.floor(random() * statSync(file).size));
const empty: Damage = (file) => truncateSync(file, 0);
const remove: Damage = (file) => rmSync(file);

const KINDS: readonly (readonly [file: string, what: string, damage: Damage])[] = [
  ["holdpoint.db", "a page of garbage", garbage],
  ["holdpoint.db", "a page of zeros", zeros],
  ["holdpoint.db", "the end cut off", cut],
  ["holdpoint.db", "the file emptied", empty],
  ["holdpoint.db", "the file removed", remove],
  ["holdpoint.db-wal", "a page of garbage", garbage],
  ["holdpoint.db-wal", "a page of zeros", zeros],
  ["holdpoint.db-wal", "the end cut off", cut],
  ["holdpoint.db-wal", "the file emptied", empty],
  ["holdpoint.db-wal", "the file removed", remove],
];

test(
  `[R-2] none of ${DAMAGES} damages loses anything acknowledged without a report`,
  { timeout: 60_000 + DAMAGES * 300 },
  async ({ annotate }) => {
    const dataDir = join(createTemporaryDir(), "data");
    await using child = startChild("stepping-child.ts", [dataDir, createTemporaryDir()]);
    for (let step = 0; step < STEPS; step += 1) child.tell("3 100");
    await child.said(1 + STEPS * 4);
    await setTimeout(SETTLED_MS);
    await child.kill();
    const acknowledged = child.lines.slice(1).filter((line) => line !== "done");

    const random = createSeededRandom(SEED);
    const silent: string[] = [];
    let noticed = 0;
    let tried = 0;
    for (; tried < DAMAGES; tried += 1) {
      const [file, what, damage] = KINDS[tried % KINDS.length]!;
      const folder = join(createTemporaryDir(), "data");
      cpSync(dataDir, folder, { recursive: true });
      damage(join(folder, file), random);
      const left = await readAll(folder).catch(() => new Set<string>());
      if (left === "noticed") noticed += 1;
      else if (acknowledged.some((line) => !left.has(line))) silent.push(`${file}: ${what}`);
    }
    expect(silent).toEqual([]);
    expect(tried).toBe(DAMAGES);
    expect(noticed).toBeGreaterThan(DAMAGES / 4);
    await annotate(`${tried} damages, of which ${noticed} were refused`, "cases");
  },
);

/** All data that the store returns, or "noticed" when it detected the damage. */
async function readAll(dataDir: string): Promise<ReadonlySet<string> | "noticed"> {
  try {
    await using store = await openSqliteStore({ dataDir });
    return await readAcknowledged(store);
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) return "noticed";
    throw error;
  }
}

function overwritePage(file: string, random: () => number, byte: () => number): void {
  const bytes = readFileSync(file);
  const pages = Math.floor(bytes.length / PAGE_BYTES);
  const start = Math.floor(random() * pages) * PAGE_BYTES;
  for (let offset = start; offset < start + PAGE_BYTES; offset += 1) bytes[offset] = byte();
  writeFileSync(file, bytes);
}
