import type { WaitingCall } from "@holdpoint/store-sqlite";

import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { count, inWords, quote } from "./words.ts";

/** Reports how many interactions are pending, and which sessions are parked. */
export function checkWaiting({ store, nowMs }: Scene): Finding[] {
  const findings = new Findings("Waiting");
  if (store === undefined) return findings.list;
  const { pending, parked, oldest } = store.waiting;
  findings.ok(`${count(pending, "pending interaction")}, ${parked} of them parked`, {
    pending,
    parked,
  });
  const listed = oldest.filter(({ isParked }) => isParked);
  for (const call of listed) findings.ok(describe(call, nowMs), { ...call });
  if (parked > listed.length) {
    findings.ok(`and ${count(parked - listed.length, "parked session")} more`);
  }
  return findings.list;
}

function describe({ title, sessionId, toolName, sinceMs }: WaitingCall, nowMs: number): string {
  const session = title === "" ? sessionId : title;
  return `parked: ${quote(session)} waits for an answer to ${quote(toolName)}, asked ${inWords(nowMs - sinceMs)} ago`;
}
