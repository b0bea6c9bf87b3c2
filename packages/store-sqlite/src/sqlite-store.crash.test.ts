import { expect, test } from "vitest";

import { startChild } from "./testing/child-process.ts";
import { expectAcknowledged } from "./testing/expect-acknowledged.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const KILLS = Number(process.env["CAMPAIGN_CASES"] ?? 10);

test(
  `[R-2] every acknowledged append survives kill -9, ${KILLS} times over`,
  { timeout: 60_000 + KILLS * 3000 },
  async ({ annotate }) => {
    const dataDir = createTemporaryDir();
    const acknowledged: string[] = [];
    const epochs = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      await using child = startChild("appending-child.ts", [dataDir, `${round}`, `${round * 50}`]);
      // The kill falls anywhere between two acknowledgements, since the child does not wait for it.
      await child.said(1 + ((round * 37) % 101));
      await child.kill();
      acknowledged.push(...child.lines);
      epochs.add(await expectAcknowledged(dataDir, acknowledged));
    }
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(epochs.size).toBe(1);
    await annotate(`${KILLS} kills of a process that appends`, "cases");
  },
);

test.skipIf(process.platform === "win32")(
  "[R-2] when the disk is full, appends are rejected and acknowledged ones stay",
  async () => {
    const dataDir = createTemporaryDir();
    await using child = startChild("appending-child.ts", [dataDir, "full", "20000"], {
      limitKiB: 700,
    });
    expect(await child.ended()).toEqual({ code: 0, stderr: expect.any(String) });
    expect(child.lines.slice(-2)).toEqual([
      expect.stringMatching(/^failed STORE_FAILED Writing to the store failed/),
      "closed",
    ]);
    const acknowledged = child.lines.slice(0, -2).filter((line) => !line.startsWith("failed"));
    expect(acknowledged.length).toBeGreaterThan(3);
    await expectAcknowledged(dataDir, acknowledged);
  },
);
