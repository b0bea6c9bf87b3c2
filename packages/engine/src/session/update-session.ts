import type { Session, UnplacedEvent, UpdateSessionBody } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { toInstant } from "../interaction/create-interaction.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import type { AgentSession } from "../ports/agent-adapter.ts";
import type { StoredSession } from "../ports/store.ts";
import { applySettings } from "../turn/agent-session.ts";
import type { LiveSession } from "./live-session.ts";
import { assertKnownMode, describeAgent, getSession } from "./sessions.ts";
import { changeRow, toRow } from "./stored-session.ts";

/** Changes title, mode or model. A running agent has the new mode before the change is in the log. */
export async function updateSession(
  core: Core,
  sessionId: string,
  body: UpdateSessionBody,
): Promise<Session> {
  return core.sessions.use(sessionId, (live) =>
    live.settings(async () => {
      const before = await core.store.getSession(sessionId);
      if (!before || live.deleting) throw notFound("session");
      if (body.permissionMode !== undefined) {
        assertKnownMode(await describeAgent(core, before.agent), body.permissionMode);
      }
      await change(core, live, { before, body });
      return getSession(core, sessionId);
    }),
  );
}

async function change(
  core: Core,
  live: LiveSession,
  { before, body }: { readonly before: StoredSession; readonly body: UpdateSessionBody },
): Promise<void> {
  const after: StoredSession = { ...before, ...withoutUndefined(body) };
  const told = live.agent;
  try {
    if (told) await tell(told, before, after);
    await store(core, live, body);
  } catch (error: unknown) {
    // What is not in the log must not hold for the agent either, nor any part of it.
    if (told) {
      await applySettings(told, after, before).catch((cause: unknown) =>
        core.onError(cause, "settings"),
      );
    }
    throw error;
  }
  // An agent that was being opened meanwhile may have read the old row.
  if (live.agent && live.agent !== told) await tell(live.agent, before, after);
}

async function tell(
  agent: AgentSession,
  before: StoredSession,
  after: StoredSession,
): Promise<void> {
  try {
    await applySettings(agent, before, after);
  } catch {
    throw invalidRequest("permissionMode", "The agent refused the change.");
  }
}

async function store(core: Core, live: LiveSession, body: UpdateSessionBody): Promise<void> {
  const at = toInstant(core.clock.now());
  const changed = withoutUndefined(body);
  const event: UnplacedEvent = { type: "session_updated", at, ...changed };
  const result = await changeRow(core, live, (row) => ({
    row: toRow({ ...row, ...changed, updatedAt: at }),
    events: [event],
  }));
  if (result?.status !== "appended") throw notFound("session");
}

function withoutUndefined({ title, permissionMode, model }: UpdateSessionBody) {
  return {
    ...(title !== undefined && { title }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(model !== undefined && { model }),
  };
}
