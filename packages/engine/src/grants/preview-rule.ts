import {
  eventSchema,
  inEnglish,
  type LoggedCommand,
  pagesOf,
  type RuleDraft,
  type RulePreview,
  saidOf,
  type SessionEvent,
} from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredSession } from "../ports/store.ts";
import { programOf } from "./command-escapes.ts";
import { whyNotCovered } from "./command-rules.ts";
import { problemOfRule, textOfRule } from "./create-rule.ts";
import { commandOf } from "./find-rule.ts";

const LOOKBACK_MS = 30 * 24 * 60 * 60 * 1000;
const PAGE_SIZE = 500;
/** The most events that are read, however long the logs are. */
const MAX_EVENTS = 20_000;
const MAX_SHOWN = 50;

export interface PreviewRuleParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly agents: ReadonlyMap<string, AgentAdapter>;
}

interface LoggedCall {
  readonly command: string;
  readonly cwd: string;
  readonly at: string;
}

/** Applies a rule to the calls of the last 30 days, newest sessions first, until the event budget is used up. */
export async function previewRule(parts: PreviewRuleParts, draft: RuleDraft): Promise<RulePreview> {
  const since = toInstant(parts.clock.now() - LOOKBACK_MS);
  const { calls, isPartial } = await readCalls(parts, since);
  const { verdict, pattern, cwd } = draft;
  const placed = { rule: { verdict, pattern }, cwd };
  const problem = problemOfRule(draft);
  const text = textOfRule(draft);
  const judged = groupCalls(calls).map((logged) => {
    const why = problem ?? whyNotCovered(placed, { text: logged.command, cwd: logged.cwd });
    return why === undefined ? logged : { ...logged, why: inEnglish(why), ...saidOf({ why }) };
  });
  const covered = judged.filter(({ why }) => why === undefined);
  const program = programOf(pattern.split(" ", 1)[0] ?? "");
  const isNear = ({ command }: LoggedCommand) =>
    programOf(command.split(" ", 1)[0] ?? "") === program;
  const others = judged.filter(({ why }) => why !== undefined);
  const notCovered = [...others.filter(isNear), ...others.filter((one) => !isNear(one))];
  return {
    text: text.text,
    ...(problem !== undefined && { problem: inEnglish(problem) }),
    said: { ...text.said, ...saidOf({ problem }).said },
    since,
    calls: calls.length,
    isPartial,
    coveredCalls: covered.reduce((sum, { count }) => sum + count, 0),
    covered: covered.slice(0, MAX_SHOWN),
    notCovered: notCovered.slice(0, MAX_SHOWN),
  };
}

/** Groups calls of the same command in the same directory, newest first. */
function groupCalls(calls: readonly LoggedCall[]): LoggedCommand[] {
  const groups = new Map<string, LoggedCommand>();
  for (const { command, cwd, at } of calls.toSorted((a, b) => (a.at < b.at ? 1 : -1))) {
    const key = JSON.stringify([cwd, command]);
    const known = groups.get(key) ?? { command, cwd, count: 0, lastAt: at };
    groups.set(key, { ...known, count: known.count + 1 });
  }
  return [...groups.values()];
}

async function readCalls(
  parts: PreviewRuleParts,
  since: string,
): Promise<{ calls: readonly LoggedCall[]; isPartial: boolean }> {
  const calls: LoggedCall[] = [];
  let budget = MAX_EVENTS;
  for await (const { items } of pagesOf((start) =>
    parts.store.listSessions({ limit: PAGE_SIZE, ...start }),
  )) {
    for (const session of items) {
      if (session.updatedAt < since) return { calls, isPartial: false };
      if (budget <= 0) return { calls, isPartial: true };
      const read = await readSession(parts, session, { since, budget });
      calls.push(...read.calls);
      budget -= read.count;
    }
  }
  return { calls, isPartial: budget <= 0 };
}

/** The commands of one session, read from its end. */
async function readSession(
  { store, agents }: PreviewRuleParts,
  { sessionId, agent, cwd }: StoredSession,
  { since, budget }: { readonly since: string; readonly budget: number },
): Promise<{ calls: readonly LoggedCall[]; count: number }> {
  if (agents.get(agent)?.commandFields === undefined) return { calls: [], count: 1 };
  const events: SessionEvent[] = [];
  for (let before: number | undefined; events.length < budget;) {
    const limit = Math.min(PAGE_SIZE, budget - events.length);
    const page = await store.readEvents(sessionId, {
      limit,
      ...(before !== undefined && { before }),
    });
    const read = page.map(({ json }) => eventSchema.parse(JSON.parse(json)));
    events.unshift(...read);
    const [oldest] = read;
    if (!oldest || oldest.at < since || oldest.seq <= 1) break;
    before = oldest.seq;
  }
  const places = new Map(
    events.flatMap((event) =>
      event.type === "interaction_request" && event.interaction.approval
        ? [[placeKey(event.interaction), event.interaction.approval.cwd] as const]
        : [],
    ),
  );
  const calls = events.flatMap((event) => {
    if (event.type !== "tool_call" || event.at < since) return [];
    const command = commandOf(agents, { agent, ...event });
    const place = places.get(placeKey(event)) ?? cwd;
    return command === undefined ? [] : [{ command, cwd: place, at: event.at }];
  });
  return { calls, count: Math.max(events.length, 1) };
}

/** Call ids can repeat in later turns, so the key includes the turn. */
function placeKey(call: {
  readonly turnId?: string | undefined;
  readonly toolCallId: string;
}): string {
  return JSON.stringify([call.turnId, call.toolCallId]);
}
