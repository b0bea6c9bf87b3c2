import {
  ProtocolError,
  type Session,
  type UnplacedEvent,
  type UpdateSessionBody,
  refusal,
  saying,
} from "@holdpoint/protocol";

import { invalidRequest, notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { AgentSession } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { StoredSession } from "../ports/store.ts";
import { applySettings, SettingRefusedError } from "./agent-session.ts";
import { limitMode, modeAfterEnd, type ModeEnds } from "./limited-mode.ts";
import type { LiveSession } from "./live-session.ts";
import {
  assertKnownMode,
  describeAgent,
  getSession,
  type AgentsParts,
  type SessionReadParts,
} from "./sessions.ts";
import { changeRow, toRow, type ChangeRowParts } from "./stored-session.ts";

export interface UpdateSessionParts extends AgentsParts, SessionReadParts, ChangeRowParts {
  readonly clock: Clock;
  readonly modeEnds: ModeEnds;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Changes title, mode or model, or archives or restores the session. A running agent gets the new settings before the
 * change is in the log. Rejects with `INVALID_REQUEST` for a setting that it refuses.
 */
export async function updateSession(
  parts: UpdateSessionParts,
  sessionId: string,
  body: UpdateSessionBody,
): Promise<Session> {
  const { store, sessions } = parts;
  return sessions.use(sessionId, (live) =>
    live.settings(async () => {
      const before = await store.getSession(sessionId);
      if (!before || live.deleting) throw notFound("session");
      const changed = await toChanged(parts, before, body);
      if (!isStaleEnd(changed, body)) await change(parts, live, { before, changed });
      return getSession(parts, sessionId);
    }),
  );
}

async function change(
  parts: UpdateSessionParts,
  live: LiveSession,
  { before, changed }: { readonly before: StoredSession; readonly changed: Changed },
): Promise<void> {
  const after: StoredSession = { ...before, ...changed };
  // An agent may be using another model than the stored one, after a command to switch.
  const { model: _, ...withoutModel } = before;
  const held: StoredSession = changed.model === undefined ? before : withoutModel;
  const { agent } = live;
  try {
    if (agent) await changeAgent(agent, held, after);
    await writeChange(parts, live, changed);
  } catch (error: unknown) {
    // A change that is not in the log must not apply to the agent either, not even in part.
    if (agent) {
      await applySettings(agent, after, before).catch((cause: unknown) =>
        parts.onError(cause, "settings"),
      );
    }
    throw error;
  }
  // An agent that was being opened may have read the old row.
  if (live.agent && live.agent !== agent) await changeAgent(live.agent, held, after);
}

async function changeAgent(
  agent: AgentSession,
  before: StoredSession,
  after: StoredSession,
): Promise<void> {
  try {
    await applySettings(agent, before, after);
  } catch (error: unknown) {
    if (!(error instanceof SettingRefusedError)) throw error;
    const { setting, message } = error;
    const fieldErrors = { [setting]: message };
    throw new ProtocolError("INVALID_REQUEST", message, { fieldErrors }, { cause: error });
  }
}

async function writeChange(
  parts: UpdateSessionParts,
  live: LiveSession,
  changed: Changed,
): Promise<void> {
  const at = toInstant(parts.clock.now());
  const { archived, ...fields } = changed;
  const event: UnplacedEvent = { type: "session_updated", at, ...changed };
  const result = await changeRow(
    parts,
    live,
    ({ limitedMode, archivedAt, activeModel, ...row }) => {
      // Checked in here, where no turn can begin.
      if (archived === true) assertRests(live);
      const away = (archived ?? archivedAt !== undefined) ? { archivedAt: archivedAt ?? at } : {};
      // Choosing a mode ends the previous mode's time limit.
      const kept = changed.permissionMode === undefined && limitedMode ? { limitedMode } : {};
      const used = changed.model === undefined && activeModel !== undefined ? { activeModel } : {};
      const after = { ...row, ...kept, ...away, ...used, ...fields, updatedAt: at };
      return { row: toRow(after), events: [event] };
    },
  );
  if (result?.status !== "appended") throw notFound("session");
  if (changed.limitedMode) parts.modeEnds.consider(Date.parse(changed.limitedMode.endsAt));
}

/** A session that is working, or that an answer would restart, cannot be archived. */
function assertRests({ status }: LiveSession): void {
  if (status === "idle") return;
  throw refusal("TURN_RUNNING", saying("session_works"));
}

interface Changed extends Partial<
  Pick<StoredSession, "limitedMode" | "model" | "permissionMode" | "title">
> {
  readonly archived?: boolean;
}

/** Whether the request would only end a mode that has already ended. */
function isStaleEnd(changed: Changed, { endPermissionMode }: UpdateSessionBody): boolean {
  return endPermissionMode !== undefined && Object.keys(changed).length === 0;
}

/** The changes in the body. Rejects if the agent does not have the mode. */
async function toChanged(
  parts: UpdateSessionParts,
  before: StoredSession,
  {
    title,
    permissionMode: mode,
    permissionModeMinutes: minutes,
    endPermissionMode,
    model,
    archived,
  }: UpdateSessionBody,
): Promise<Changed> {
  const changed: Changed = {
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(archived !== undefined && { archived }),
  };
  if (mode === undefined) {
    if (minutes !== undefined) {
      throw invalidRequest("permissionModeMinutes", saying("mode_missing"));
    }
    const permissionMode = modeAfterEnd(before, endPermissionMode);
    return { ...changed, ...(permissionMode !== undefined && { permissionMode }) };
  }
  if (endPermissionMode !== undefined) {
    throw invalidRequest("endPermissionMode", saying("mode_chosen_and_ended"));
  }
  const info = await describeAgent(parts, before.agent);
  assertKnownMode(info, mode);
  const limitedMode = limitMode(info, { mode, minutes }, parts.clock.now());
  return { ...changed, permissionMode: mode, ...(limitedMode && { limitedMode }) };
}
