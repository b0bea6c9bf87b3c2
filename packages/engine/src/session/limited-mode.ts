import { type AgentInfo, type LimitedMode, saying } from "@holdpoint/protocol";

import { invalidRequest } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { StoredSession } from "../ports/store.ts";

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 60;

/** Checks the limited modes at that instant at the latest, in milliseconds since the epoch. */
export interface ModeEnds {
  consider(atMs: number): void;
}

/** The mode that a person requests, and for how long. */
export interface ModeWish {
  readonly mode: string;
  readonly minutes: number | undefined;
}

/**
 * The end of a mode that a person chose; `undefined` for a mode without one. Throws `INVALID_REQUEST` if a time is
 * given for such a mode.
 */
export function limitMode(
  info: AgentInfo,
  { mode, minutes }: ModeWish,
  nowMs: number,
): LimitedMode | undefined {
  const into = endOfMode(info, mode);
  if (into !== undefined) {
    return { mode, into, endsAt: toInstant(nowMs + (minutes ?? DEFAULT_MINUTES) * MINUTE_MS) };
  }
  if (minutes === undefined) return undefined;
  throw invalidRequest("permissionModeMinutes", saying("mode_has_no_end"));
}

/** The mode of a session after a limited one has ended; `undefined` if the session is not limited to that mode. */
export function modeAfterEnd(
  { permissionMode, limitedMode }: Pick<StoredSession, "limitedMode" | "permissionMode">,
  ended: string | undefined,
): string | undefined {
  if (limitedMode === undefined || limitedMode.mode !== ended) return undefined;
  // The agent may be in another mode for a moment, such as to plan.
  return permissionMode === ended ? limitedMode.into : permissionMode;
}

/** The effective mode of a session: a mode that must end is effective only as long as a person has allowed it. */
export function modeThatHolds(
  info: AgentInfo,
  { permissionMode: mode, limitedMode }: Pick<StoredSession, "limitedMode" | "permissionMode">,
  nowMs: number,
): string {
  const into = endOfMode(info, mode);
  if (into === undefined) return mode;
  const isAllowed = limitedMode?.mode === mode && Date.parse(limitedMode.endsAt) > nowMs;
  return isAllowed ? mode : into;
}

function endOfMode({ permissionModes }: AgentInfo, mode: string): string | undefined {
  return permissionModes.find((info) => info.mode === mode)?.endsInto;
}
