import {
  ProtocolError,
  type AgentInfo,
  type CreateSessionBody,
  type ListQuery,
  type Session,
  type SessionList,
} from "@holdpoint/protocol";

import { invalidRequest, notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store, StoredSession } from "../ports/store.ts";
import { limitMode, type ModeEnds } from "./limited-mode.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { SessionLog, SessionsOverview } from "./session-log.ts";
import { toRow, toSession } from "./stored-session.ts";

export interface AgentsParts {
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  readonly draining: AbortSignal;
}

export interface SessionReadParts {
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly overview: SessionsOverview;
}

export interface CreateSessionParts extends AgentsParts {
  readonly sessions: LiveSessions;
  readonly overview: SessionsOverview;
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly modeEnds: ModeEnds;
  readonly defaultCwd: string;
  readonly refuseCwd: (cwd: string) => Promise<string | undefined>;
}

/** What each agent says of itself, in the order in which they are offered. */
export async function listAgents({ agents, draining }: AgentsParts): Promise<AgentInfo[]> {
  const adapters = [...agents.values()].filter(({ isPassive }) => !isPassive);
  return Promise.all(adapters.map((adapter) => adapter.describe({ signal: draining })));
}

/** What one agent says of itself. Rejects with `INVALID_REQUEST` for an agent that there is not. */
export async function describeAgent(
  { agents, draining }: AgentsParts,
  agent: string,
): Promise<AgentInfo> {
  const adapter = agents.get(agent);
  if (!adapter) throw invalidRequest("agent", "There is no such agent.");
  return adapter.describe({ signal: draining });
}

export async function createSession(
  parts: CreateSessionParts,
  body: CreateSessionBody,
  createdBy?: string,
): Promise<Session> {
  const { agent, title = "", model } = body;
  const info = await describeAgent(parts, agent);
  if (!info.available) {
    throw new ProtocolError("AGENT_UNAVAILABLE", info.unavailableReason ?? "It cannot be started.");
  }
  const { permissionMode = info.defaultPermissionMode, cwd = parts.defaultCwd } = body;
  assertKnownMode(info, permissionMode);
  const now = parts.clock.now();
  const wish = { mode: permissionMode, minutes: body.permissionModeMinutes };
  const limitedMode = limitMode(info, wish, now);
  await assertAllowedCwd(parts, cwd);
  const at = toInstant(now);
  const stored: StoredSession = {
    sessionId: parts.ids.next("ses"),
    agent,
    cwd,
    title,
    permissionMode,
    ...(limitedMode && { limitedMode }),
    ...(model !== undefined && { model }),
    status: "idle",
    createdAt: at,
    updatedAt: at,
    ...(createdBy !== undefined && { createdBy }),
    lastSeq: 0,
  };
  await parts.log.append({ sessionId: stored.sessionId, session: toRow(stored) });
  if (limitedMode) parts.modeEnds.consider(Date.parse(limitedMode.endsAt));
  parts.overview.sessionAdded();
  return toSession(parts, stored);
}

export async function listSessions(
  parts: SessionReadParts,
  { cursor, limit }: ListQuery,
): Promise<SessionList> {
  const { items, nextCursor } = await parts.store.listSessions({
    limit,
    ...(cursor !== undefined && { cursor }),
  });
  return {
    items: items.map((stored) => toSession(parts, stored)),
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

export async function getSession(parts: SessionReadParts, sessionId: string): Promise<Session> {
  const stored = await parts.store.getSession(sessionId);
  if (!stored) throw notFound("session");
  return toSession(parts, stored);
}

export function assertKnownMode({ permissionModes }: AgentInfo, permissionMode: string): void {
  if (!permissionModes.some(({ mode }) => mode === permissionMode)) {
    throw invalidRequest("permissionMode", "This agent has no such permission mode.");
  }
}

async function assertAllowedCwd({ refuseCwd }: CreateSessionParts, cwd: string): Promise<void> {
  const isAbsolute = /^(?:\/|[a-zA-Z]:[\\/]|\\\\)/.test(cwd);
  const problem = isAbsolute ? await refuseCwd(cwd) : "Give an absolute path.";
  if (problem !== undefined) throw invalidRequest("cwd", problem);
}
