import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { startChild } from "./testing/child-process.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const KILLS = Number(process.env["CAMPAIGN_CASES"] ?? 4);

test(
  `[R-2] [R-5] an acknowledged vote survives kill -9, and three of three people approve, ${KILLS} times in a row`,
  { timeout: 60_000 + KILLS * 3000 },
  async ({ annotate }) => {
    const dataDir = createTemporaryDir();
    const acknowledged = new Set<string>();
    let halfway = 0;
    let allowed = 0;
    for (let round = 0; round < KILLS; round += 1) {
      await using child = startChild("voting-child.ts", [dataDir]);
      // Within the votes of one ask: the child does not wait for the kill.
      await child.said(4 + ((round * 5) % 7));
      await child.kill();
      for (const line of child.lines) acknowledged.add(line);
      await using store = await openSqliteStore({ dataDir });
      for (const line of acknowledged) {
        const [interactionId = "", person] = line.split(" ");
        const { interaction } = (await store.getInteraction(interactionId)) ?? {};
        const votes = interaction?.votes?.map((vote) => vote.person) ?? [];
        expect(votes).toContain(person);
        expect(new Set(votes).size).toBe(votes.length);
        const isAllowed = interaction?.response?.action === "approve";
        expect([isAllowed, interaction?.status]).toEqual(
          votes.length === 3 ? [true, "answered"] : [false, "pending"],
        );
        if (isAllowed) allowed += 1;
      }
      const { items } = await store.listInteractions({ statuses: ["pending"], limit: 10 });
      halfway += items.filter(({ interaction }) => interaction.votes).length;
    }
    expect(allowed).toBeGreaterThan(KILLS);
    await annotate(
      `${KILLS} kills between votes, ${halfway} of them after some of one ask`,
      "cases",
    );
  },
);
