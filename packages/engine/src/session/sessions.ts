import {
  type AgentInfo,
  type CreateSessionBody,
  MAX_HISTORY_WORDS,
  type Session,
  type SessionList,
  type SessionListQuery,
  seenByOf,
  type Sight,
  refusal,
  saying,
} from "@holdpoint/protocol";

import { invalidRequest, notFound } from "../lib/errors.ts";
import { toSearchedWords } from "../lib/history-text.ts";
import { toInstant } from "../lib/instant.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store, StoredSession } from "../ports/store.ts";
import { assertAllowedCwd, type AllowedCwdParts } from "./allowed-cwd.ts";
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

type ListAgentsParts = AgentsParts & Pick<AllowedCwdParts, "defaultCwd">;

export interface CreateSessionParts extends AgentsParts, AllowedCwdParts {
  readonly sessions: LiveSessions;
  readonly overview: SessionsOverview;
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly modeEnds: ModeEnds;
}

/** The descriptions of all agents, in the order in which they are offered. */
export async function listAgents({
  agents,
  draining,
  defaultCwd,
}: ListAgentsParts): Promise<AgentInfo[]> {
  const adapters = [...agents.values()].filter(({ isPassive }) => !isPassive);
  return Promise.all(
    adapters.map(async (adapter) => ({
      ...(await adapter.describe({ signal: draining })),
      defaultCwd,
    })),
  );
}

/** The description of one agent. Rejects with `INVALID_REQUEST` for an unknown agent. */
export async function describeAgent(
  { agents, draining }: AgentsParts,
  agent: string,
): Promise<AgentInfo> {
  const adapter = agents.get(agent);
  if (!adapter) throw invalidRequest("agent", saying("agent_unknown"));
  return adapter.describe({ signal: draining });
}

/** The creator and owner of a session. By default it belongs to everyone. */
export type Origin = Pick<StoredSession, "belongsTo" | "createdBy" | "givenTo" | "startedBy">;

export async function createSession(
  parts: CreateSessionParts,
  body: CreateSessionBody,
  { createdBy, startedBy, belongsTo, givenTo = [] }: Origin = {},
  sessionId = parts.ids.next("ses"),
): Promise<Session> {
  const { agent, title = "", model } = body;
  const info = await describeAgent(parts, agent);
  assertAvailable(info);
  const { permissionMode = info.defaultPermissionMode, cwd = parts.defaultCwd } = body;
  assertKnownMode(info, permissionMode);
  const now = parts.clock.now();
  const wish = { mode: permissionMode, minutes: body.permissionModeMinutes };
  const limitedMode = limitMode(info, wish, now);
  await assertAllowedCwd(parts, cwd);
  const at = toInstant(now);
  const stored: StoredSession = {
    sessionId,
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
    ...(startedBy !== undefined && { startedBy }),
    ...ownedBy(belongsTo, givenTo),
    lastSeq: 0,
  };
  await parts.log.append({ sessionId: stored.sessionId, session: toRow(stored) });
  if (limitedMode) parts.modeEnds.consider(Date.parse(limitedMode.endsAt));
  parts.overview.sessionAdded(sessionId);
  return toSession(parts, stored);
}

function ownedBy(
  belongsTo: Origin["belongsTo"],
  givenTo: NonNullable<Origin["givenTo"]>,
): Pick<StoredSession, "belongsTo" | "givenTo" | "seenBy"> {
  return belongsTo ? { belongsTo, givenTo, seenBy: seenByOf({ belongsTo, givenTo }) } : {};
}

export async function listSessions(
  parts: SessionReadParts,
  { archived, words, cursor, limit }: SessionListQuery,
  sight?: Sight,
): Promise<SessionList> {
  const { items, nextCursor } = await parts.store.listSessions({
    archived: archived === "only",
    limit,
    sight,
    ...(words !== undefined && { words: toSearchedWords(words, MAX_HISTORY_WORDS) }),
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

function assertAvailable({ available, unavailableReason, said }: AgentInfo): void {
  if (available) return;
  const why = said?.["unavailableReason"] ?? unavailableReason ?? saying("agent_not_started");
  throw refusal("AGENT_UNAVAILABLE", why);
}

export function assertKnownMode({ permissionModes }: AgentInfo, permissionMode: string): void {
  if (!permissionModes.some(({ mode }) => mode === permissionMode)) {
    throw invalidRequest("permissionMode", saying("mode_unknown"));
  }
}
