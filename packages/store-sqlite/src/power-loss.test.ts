/*
 * The power fails at any moment of a run: the files are put together as a disk may have them afterwards. Every sector
 * written since the last sync may be there, or not, or partly, and a file may be longer than its written data.
 * Checked: the store opens, every acknowledged append is there, logs have no gaps, the database is valid, and its
 * history is the same.
 */
import { join } from "node:path";

import { createSeededRandom } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { startChild } from "./testing/child-process.ts";
import { DiskJournal } from "./testing/disk-journal.ts";
import { expectAcknowledged } from "./testing/expect-acknowledged.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const LOSSES = Number(process.env["CAMPAIGN_CASES"] ?? 40);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);
/** Enough to fill the log, so that it is copied to the database and restarted. */
const STEPS = 70;
const MOST_BYTES = 60_000;

test(
  `[R-2] ${LOSSES} power losses with torn writes lose nothing that was acknowledged`,
  { timeout: 60_000 + LOSSES * 500 },
  async ({ annotate }) => {
    const random = createSeededRandom(SEED);
    const dataDir = join(createTemporaryDir(), "data");
    await using child = startChild("stepping-child.ts", [dataDir, createTemporaryDir()]);
    const acknowledged: string[] = [];
    let heard = 0;
    const step = async (sessions: number, bytes: number): Promise<void> => {
      child.tell(`${sessions} ${bytes}`);
      heard += sessions + 1;
      await child.said(1 + heard);
      acknowledged.push(...child.lines.slice(-1 - sessions, -1));
    };
    await step(3, 0);
    const mode = JSON.parse(child.lines[0]!) as { synchronous: number };
    const journal = new DiskJournal(dataDir, mode);
    while (journal.steps < STEPS) {
      // Also several commits in one step, as on a busy machine.
      for (let commits = random() < 0.3 ? 3 : 1; commits > 0; commits -= 1) {
        await step(1 + Math.floor(random() * 3), Math.floor(random() * MOST_BYTES));
      }
      journal.record(acknowledged.length);
    }
    await child.kill();

    let tried = 0;
    let torn = 0;
    const epochs = new Set<string>();
    while (tried < LOSSES) {
      const folder = join(createTemporaryDir(), "data");
      const loss = journal.loseDuring(Math.floor(random() * STEPS), folder, random);
      epochs.add(await expectAcknowledged(folder, acknowledged.slice(0, loss.acknowledged)));
      torn += loss.torn;
      tried += 1;
    }
    expect(tried).toBe(LOSSES);
    expect(torn).toBeGreaterThan(LOSSES);
    expect(epochs.size).toBe(1);
    await annotate(
      `${tried} losses of power, ${torn} sectors torn off, from the seed ${SEED}`,
      "cases",
    );
  },
);
