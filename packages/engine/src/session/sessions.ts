import {
  ProtocolError,
  type AgentInfo,
  type Caller,
  type CreateSessionBody,
  type ListQuery,
  type Session,
  type SessionList,
} from "@holdpoint/protocol";

import { assertMayChange } from "../gateway/access.ts";
import type { Core } from "../gateway/core.ts";
import { toInstant } from "../interaction/create-interaction.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import type { StoredSession } from "../ports/store.ts";
import { discardAgent } from "../turn/agent-session.ts";
import { stopTurn } from "../turn/stop-turn.ts";
import { toSession } from "./session-status.ts";
import { toRow } from "./stored-session.ts";

/** What each agent says of itself, in the order in which they are offered. */
export async function listAgents(core: Core): Promise<AgentInfo[]> {
  const adapters = [...core.agents.values()].filter(({ isPassive }) => !isPassive);
  return Promise.all(adapters.map((adapter) => adapter.describe({ signal: core.draining })));
}

export async function createSession(
  core: Core,
  caller: Caller,
  body: CreateSessionBody,
): Promise<Session> {
  assertMayChange(core, caller);
  const info = await describeAgent(core, body.agent);
  if (!info.available) {
    throw new ProtocolError("AGENT_UNAVAILABLE", info.unavailableReason ?? "It cannot be started.");
  }
  const permissionMode = body.permissionMode ?? info.defaultPermissionMode;
  assertKnownMode(info, permissionMode);
  const cwd = body.cwd ?? core.defaultCwd;
  await assertFineCwd(core, cwd);
  const sessionId = core.ids.next("ses");
  const at = toInstant(core.clock.now());
  const stored: StoredSession = {
    sessionId,
    agent: body.agent,
    cwd,
    title: body.title ?? "",
    permissionMode,
    ...(body.model !== undefined && { model: body.model }),
    status: "idle",
    createdAt: at,
    updatedAt: at,
    lastSeq: 0,
  };
  await core.log.append({ sessionId, session: toRow(stored) });
  core.overview.sessionAdded();
  return toSession(core, stored);
}

export async function listSessions(core: Core, query: ListQuery): Promise<SessionList> {
  const { items, nextCursor } = await core.store.listSessions({
    limit: query.limit,
    ...(query.cursor !== undefined && { cursor: query.cursor }),
  });
  return {
    items: items.map((stored) => toSession(core, stored)),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

export async function getSession(core: Core, sessionId: string): Promise<Session> {
  const stored = await core.store.getSession(sessionId);
  if (!stored) throw notFound("session");
  return toSession(core, stored);
}

/** Asks the running turn to stop; its end comes over the log. */
export async function stopRunningTurn(
  core: Core,
  caller: Caller,
  sessionId: string,
): Promise<void> {
  assertMayChange(core, caller);
  if (!(await core.store.getSession(sessionId))) throw notFound("session");
  const turn = core.sessions.peek(sessionId)?.turn;
  if (turn) stopTurn(core, turn, "The turn was stopped.");
}

/** Ends the agent without waiting for its goodwill, then deletes everything and tells the followers. */
export async function deleteSession(core: Core, caller: Caller, sessionId: string): Promise<void> {
  assertMayChange(core, caller);
  await core.sessions.use(sessionId, async (live) => {
    if (!(await core.store.getSession(sessionId))) throw notFound("session");
    live.deleting = true;
    try {
      const reason = "The session was deleted.";
      if (live.turn) stopTurn(core, live.turn, reason);
      void discardAgent(core, live);
      live.turn?.force();
      await live.driver;
      await Promise.all([...core.beforeDeletion].map((run) => run(sessionId)));
      // What was being written when the deletion began comes before it.
      await live.rowWrites(() => core.store.deleteSession(sessionId));
    } catch (error: unknown) {
      live.deleting = false;
      core.kickQueue(sessionId);
      throw error;
    }
    live.deleting = false;
    live.end("session_deleted");
    core.overview.sessionDeleted(sessionId);
  });
}

export async function describeAgent(core: Core, agent: string): Promise<AgentInfo> {
  const adapter = core.agents.get(agent);
  if (!adapter) throw invalidRequest("agent", "There is no such agent.");
  return adapter.describe({ signal: core.draining });
}

export function assertKnownMode(info: AgentInfo, permissionMode: string): void {
  if (!info.permissionModes.some(({ mode }) => mode === permissionMode)) {
    throw invalidRequest("permissionMode", "This agent has no such permission mode.");
  }
}

async function assertFineCwd(core: Core, cwd: string): Promise<void> {
  const isAbsolute = /^(?:\/|[a-zA-Z]:[\\/]|\\\\)/.test(cwd);
  const problem = isAbsolute ? await core.refuseCwd(cwd) : "Give an absolute path.";
  if (problem !== undefined) throw invalidRequest("cwd", problem);
}
