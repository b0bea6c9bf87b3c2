import type { AgentEvent } from "@holdpoint/engine";

/*
 * The runtime passes on the ids that the model's service gives to tool calls. Some services count them per response, or
 * use the tool's name, so that one id can mean several calls: in succession, of parallel sub-agents, or within one
 * message. The gateway therefore uses its own ids. The first call of a turn keeps the runtime's id, and further calls
 * get a number: `call_0`, `call_0~2`, `call_0~3`.
 */

/** A call without a result. */
export interface TurnCall {
  /** Unique within the turn. */
  readonly toolCallId: string;
  readonly runtimeId: string;
  /** The runtime's id of the call that started the sub-agent; "" on the main thread, `undefined` if unknown. */
  readonly parent: string | undefined;
  /** Whether the call's message is still expected, for the first time or again, although the call is logged. */
  readonly awaitsMessage: boolean;
  /** Whether the runtime has asked about the call. While `open`, the call cannot have ended. */
  readonly request: "none" | "open" | "decided";
}

export interface TurnCalls {
  /** In the order in which they came. */
  readonly open: readonly TurnCall[];
  /** The number of calls so far, by the runtime's id. */
  readonly counts: ReadonlyMap<string, number>;
  /** The last call that started a sub-agent, by the runtime's id. */
  readonly agents: ReadonlyMap<string, string>;
}

export type CallName = Pick<TurnCall, "parent" | "runtimeId">;

/** The tools that start a sub-agent. */
export const STARTS_AGENT: ReadonlySet<string> = new Set(["Agent", "Task"]);

export const NO_CALLS: TurnCalls = { open: [], counts: new Map(), agents: new Map() };

const NUMBERED = /^(.*)~(\d+)$/su;

/** The runtime's id of this call. */
export function runtimeIdOf(toolCallId: string): string {
  return NUMBERED.exec(toolCallId)?.[1] ?? toolCallId;
}

/** The calls of a continued turn, from its log. `asked`: calls that the runtime has asked about, by its request ids. */
export function callsAfter(
  told: readonly AgentEvent[],
  asked: ReadonlyMap<string, string> = new Map(),
): TurnCalls {
  const askedAbout = new Set(asked.values());
  const ended = new Set(
    told.flatMap((event) => (event.type === "tool_result" ? event.toolCallId : [])),
  );
  const open: TurnCall[] = [];
  const counts = new Map<string, number>();
  const agents = new Map<string, string>();
  for (const event of told) {
    if (event.type !== "tool_call") continue;
    const { toolCallId, toolName, parentToolCallId } = event;
    const runtimeId = runtimeIdOf(toolCallId);
    const count = Number(NUMBERED.exec(toolCallId)?.[2] ?? 1);
    counts.set(runtimeId, Math.max(counts.get(runtimeId) ?? 0, count));
    if (STARTS_AGENT.has(toolName)) agents.set(runtimeId, toolCallId);
    if (ended.has(toolCallId)) continue;
    const parent = parentToolCallId === undefined ? "" : runtimeIdOf(parentToolCallId);
    const request = askedAbout.has(toolCallId) ? "decided" : "none";
    open.push({ toolCallId, runtimeId, parent, awaitsMessage: true, request });
  }
  return { open, counts, agents };
}

/** Adds a message's call. `toolCallId` is absent if the call was logged before. */
export function takeCall(
  calls: TurnCalls,
  name: CallName & { readonly toolName: string },
): { readonly calls: TurnCalls; readonly toolCallId?: string } {
  const known = calls.open.find((call) => call.awaitsMessage && isNamed(call, name));
  if (known === undefined) return addCall(calls, name);
  return { calls: change(calls, known, { parent: name.parent, awaitsMessage: false }) };
}

/** Adds a call. `asks`: the call is added for a request of the runtime, before its message. */
export function addCall(
  calls: TurnCalls,
  { runtimeId, parent, toolName }: CallName & { readonly toolName: string },
  { asks = false } = {},
): { readonly calls: TurnCalls; readonly toolCallId: string } {
  const toolCallId = nextCallId(calls, runtimeId);
  const call: TurnCall = {
    toolCallId,
    runtimeId,
    parent,
    awaitsMessage: asks,
    request: asks ? "open" : "none",
  };
  const agents = STARTS_AGENT.has(toolName)
    ? new Map(calls.agents).set(runtimeId, toolCallId)
    : calls.agents;
  const counts = new Map(calls.counts).set(runtimeId, countOf(calls, runtimeId) + 1);
  return { calls: { open: [...calls.open, call], counts, agents }, toolCallId };
}

/** The id for the next call with this runtime id. */
export function nextCallId(calls: TurnCalls, runtimeId: string): string {
  const number = countOf(calls, runtimeId) + 1;
  // A runtime id that looks numbered gets a number too, so that it is not read as one.
  return number > 1 || NUMBERED.test(runtimeId) ? `${runtimeId}~${number}` : runtimeId;
}

/** Finds the call for a new request of the runtime: the oldest call that it has not asked about. */
export function askAbout(
  calls: TurnCalls,
  name: CallName,
): { readonly calls: TurnCalls; readonly toolCallId: string } | undefined {
  const call = calls.open.find((one) => one.request === "none" && isNamed(one, name));
  if (call === undefined) return undefined;
  return { calls: change(calls, call, { request: "open" }), toolCallId: call.toolCallId };
}

export function withRequest(
  calls: TurnCalls,
  toolCallId: string,
  request: TurnCall["request"],
): TurnCalls {
  const call = calls.open.find((one) => one.toolCallId === toolCallId);
  return call ? change(calls, call, { request }) : calls;
}

/** The open call that a message about progress or a result refers to, preferably one without an open request. */
export function findCall(calls: TurnCalls, name: CallName): TurnCall | undefined {
  const named = calls.open.filter((call) => isNamed(call, name));
  return named.find((call) => call.request !== "open") ?? named[0];
}

/** Removes a call that has its result. `undefined`: the result was logged before. */
export function endCall(
  calls: TurnCalls,
  name: CallName,
): { readonly calls: TurnCalls; readonly toolCallId: string } | undefined {
  const call = findCall(calls, name);
  if (call) {
    const open = calls.open.filter((one) => one !== call);
    return { calls: { ...calls, open }, toolCallId: call.toolCallId };
  }
  const { runtimeId } = name;
  if (calls.counts.has(runtimeId)) return undefined;
  // A call that was never logged: it ran in the model's service.
  const counts = new Map(calls.counts).set(runtimeId, 1);
  return { calls: { ...calls, counts }, toolCallId: runtimeId };
}

/** The call that started a sub-agent, by the runtime's id. */
export function agentCallOf({ agents }: TurnCalls, runtimeId: string): string {
  return agents.get(runtimeId) ?? runtimeId;
}

function countOf({ counts }: TurnCalls, runtimeId: string): number {
  return counts.get(runtimeId) ?? 0;
}

function isNamed(call: TurnCall, { runtimeId, parent }: CallName): boolean {
  if (call.runtimeId !== runtimeId) return false;
  return call.parent === parent || call.parent === undefined || parent === undefined;
}

function change(calls: TurnCalls, call: TurnCall, fields: Partial<TurnCall>): TurnCalls {
  const open = calls.open.map((one) => (one === call ? { ...one, ...fields } : one));
  return { ...calls, open };
}
