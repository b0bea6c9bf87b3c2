import { answerWaiting } from "../grants/answer-waiting.ts";
import { Deadlines } from "../interaction/deadlines.ts";
import { expireDue } from "../interaction/expire.ts";
import { Unclaimed } from "../interaction/unclaimed.ts";
import { Waiters } from "../interaction/waiters.ts";
import { withdrawAbandoned } from "../interaction/withdraw.ts";
import { Outstanding } from "../lib/outstanding.ts";
import { Availability } from "../presence/availability.ts";
import { Presence } from "../presence/presence.ts";
import { LiveSessions } from "../session/live-sessions.ts";
import { SessionLog } from "../session/session-log.ts";
import { OverviewFeed } from "../stream/overview-feed.ts";
import { kickQueue } from "../turn/turn-queue.ts";
import type { Core } from "./core.ts";
import type { GatewayLimits, GatewayOptions } from "./gateway-options.ts";
import { giveUpUnclaimed } from "./repair.ts";

const defaultHoldTimeoutMs = 10 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
const defaultAlwaysDays = 30;
const defaultReattachGraceMs = 10_000;
const defaultAvailabilityGraceMs = 10_000;

const defaultLimits: GatewayLimits = {
  pendingPerSession: 100,
  pendingInAll: 10_000,
  asksPerSecondPerSession: 20,
  requestBytes: 256 * 1024,
  queuedPerSession: 100,
};

/** Puts the parts of a gateway together; starts nothing. */
export function createCore(options: GatewayOptions, draining: AbortSignal): Core {
  const { store, clock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const onError = options.onError ?? (() => undefined);
  const sessions = new LiveSessions({ asksPerSecond: limits.asksPerSecondPerSession });
  const overview = new OverviewFeed();
  const deadlines: Deadlines = new Deadlines({
    clock,
    sweep: (nowMs) => expireDue(core, nowMs),
    onError: (error) => onError(error, "deadlines"),
  });
  const availability: Availability = new Availability({
    clock,
    graceMs: options.availabilityGraceMs ?? defaultAvailabilityGraceMs,
    isAnswerable: () => presence.answerable,
    onAllLeft: () => withdrawAbandoned(core),
  });
  const presence = new Presence({
    onChange: () => {
      availability.presenceChanged();
      overview.changes.notify();
      for (const live of sessions.all()) live.changes.notify();
    },
  });
  /** No deadline can come of what nobody waits for. */
  const disarmWhenIdle = () => {
    if (core.waiters.size === 0 && core.unclaimed.size === 0) deadlines.disarm();
  };
  const core: Core = {
    store,
    clock,
    ids: options.ids,
    agents: options.agents,
    defaultCwd: options.defaultCwd,
    refuseCwd: options.refuseCwd ?? (async () => undefined),
    holdTimeoutMs: options.holdTimeoutMs ?? defaultHoldTimeoutMs,
    alwaysGrantMs: (options.grants?.alwaysDays ?? defaultAlwaysDays) * dayMs,
    limits,
    onError,
    sessions,
    overview,
    beforeDeletion: new Set(),
    presence,
    availability,
    onDisconnect: options.onDisconnect ?? "wait",
    onToolLog: options.onToolLog ?? (() => undefined),
    deadlines,
    log: new SessionLog({ store, sessions, overview }),
    waiters: new Waiters({ onEmpty: disarmWhenIdle }),
    unclaimed: new Unclaimed({
      clock,
      graceMs: options.reattachGraceMs ?? defaultReattachGraceMs,
      giveUp: (interactionId) => giveUpUnclaimed(core, interactionId),
      onEmpty: disarmWhenIdle,
      onError: (error) => onError(error, "unclaimed"),
    }),
    kickQueue: (sessionId) => kickQueue(core, sessionId),
    answerWaiting: (grantHash) => answerWaiting(core, grantHash),
    background: new Outstanding(),
    draining,
  };
  return core;
}
