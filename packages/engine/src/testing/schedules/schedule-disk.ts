import type { SessionEvent } from "@holdpoint/protocol";
import { expect } from "vitest";

import type { Store } from "../../ports/store.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import type { RuleLedger } from "./rule-ledger.ts";
import { saidIn } from "./session-history.ts";

/** The acknowledgements and answers before the death of a process. */
interface DeadSchedule {
  readonly ledger: RuleLedger;
  /** The action of each response that was accepted, by its interaction. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly process: GatewayProcess;
  readonly sessions: Iterable<string>;
}

/** Checks the data left by a dead process, before another one repairs it. */
export async function checkDisk(schedule: DeadSchedule, disk: Store): Promise<void> {
  const { ledger, acknowledged, process, sessions } = schedule;
  for (const [interactionId, action] of acknowledged) {
    const row = await disk.getInteraction(interactionId);
    ledger.check("R-2", () => expect(row?.interaction.response?.action).toBe(action));
  }
  const events: SessionEvent[] = [];
  for (const sessionId of sessions) {
    const page = await disk.readEvents(sessionId, { after: 0, limit: 10_000 });
    events.push(...page.map(({ json }) => JSON.parse(json) as SessionEvent));
  }
  for (const [turnId, sayings] of process.transcript.sayings) {
    const kept = saidIn(events, turnId);
    const known = sayings.filter(({ text, isRefused }) => !isRefused || kept.includes(text));
    ledger.check("R-8", () => {
      expect(kept).toEqual(known.slice(0, kept.length).map(({ text }) => text));
      expect(known.slice(kept.length).some(({ isWritten }) => isWritten)).toBe(false);
    });
  }
}
