import type { UnplacedEvent } from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import type { StoredSession } from "../ports/store.ts";
import { applyMode, type ApplyModeParts } from "./apply-mode.ts";
import { modeAfterEnd } from "./limited-mode.ts";
import type { LiveSession } from "./live-session.ts";
import { changeRow, type ChangeRowParts } from "./stored-session.ts";

const SWEEP_SIZE = 100;

export interface EndLimitedModesParts extends ChangeRowParts, ApplyModeParts {
  readonly draining: AbortSignal;
}

/**
 * Ends every limited mode whose time is over, in the log first and then in the agent. Resolves to the next end, in
 * milliseconds since the epoch. An agent that does not leave the mode is ended with its turn.
 */
export async function endLimitedModes(
  parts: EndLimitedModesParts,
  nowMs: number,
): Promise<number | undefined> {
  while (!parts.draining.aborted) {
    const rows = await parts.store.listLimitedModes(SWEEP_SIZE);
    const due = rows.filter((row) => endOf(row) <= nowMs);
    if (due.length === 0) return rows[0] && endOf(rows[0]);
    await Promise.all(
      due.map(({ sessionId }) =>
        parts.sessions.use(sessionId, (live) => endMode(parts, live, nowMs)),
      ),
    );
  }
  return undefined;
}

function endOf({ limitedMode }: Pick<StoredSession, "limitedMode">): number {
  return limitedMode === undefined ? Infinity : Date.parse(limitedMode.endsAt);
}

async function endMode(
  parts: EndLimitedModesParts,
  live: LiveSession,
  nowMs: number,
): Promise<void> {
  const at = toInstant(nowMs);
  await changeRow(parts, live, ({ limitedMode, ...row }) => {
    if (limitedMode === undefined || endOf({ limitedMode }) > nowMs) return undefined;
    const { mode } = limitedMode;
    const permissionMode = modeAfterEnd({ ...row, limitedMode }, mode) ?? row.permissionMode;
    const event: UnplacedEvent = { type: "session_updated", at, permissionMode, endedMode: mode };
    return { row: { ...row, permissionMode, updatedAt: at }, events: [event] };
  });
  // In the background, so that ends in other sessions do not wait for this agent.
  if (live.agent) void parts.background.track(applyMode(parts, live.sessionId));
}
