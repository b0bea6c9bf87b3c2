import type { AgentDelta, AgentEvent } from "@holdpoint/engine";

import { agentCallOf, NO_CALLS, type TurnCalls } from "./turn-calls.ts";

/** State of the mapping of one turn's messages. Never changed in place. */
export interface MapperState {
  /** The block that is streaming, by the tool call whose sub-agent it belongs to ("" is the main thread). */
  readonly open: ReadonlyMap<string, OpenBlock>;
  /** The number of complete blocks of each model message. */
  readonly blockCounts: ReadonlyMap<string, number>;
  readonly calls: TurnCalls;
  /** Calls that the runtime refused on its own, by a rule or its mode; by the runtime's id. */
  readonly refusals: ReadonlySet<string>;
  /** The tool call that started each sub-agent; both by the runtime's ids. */
  readonly agentCalls: ReadonlyMap<string, string>;
  /** An error that the runtime sent as a model message; shown as text if the turn continues. */
  readonly complaint?: Complaint;
  /** When the account's limit ends, if it has been reached. */
  readonly limitEndsAt?: string | undefined;
}

export interface Complaint {
  readonly kind: string;
  readonly text: string;
  readonly messageId: string;
}

/** A stream's current block; without `block` the stream is between two blocks. */
export interface OpenBlock {
  readonly modelMessageId: string;
  readonly index: number;
  readonly text: string;
  readonly block?: OpenBlockKind;
}

export type OpenBlockKind =
  | { readonly type: "text" | "thinking" }
  | { readonly type: "tool"; readonly toolCallId: string; readonly toolName: string };

export type AgentOutput = AgentEvent | AgentDelta;

export interface Mapped {
  readonly state: MapperState;
  readonly output: readonly AgentOutput[];
}

export const EMPTY_MAPPER_STATE: MapperState = {
  open: new Map(),
  blockCounts: new Map(),
  calls: NO_CALLS,
  refusals: new Set(),
  agentCalls: new Map(),
};

/** A log message id for one block; a model message has many blocks, and each becomes a message of the log. */
export function blockId(modelMessageId: string, index: number): string {
  return `${modelMessageId}.${index}`;
}

/** The call that started the sub-agent, from the runtime's id; "" is the main thread. */
export function parentOf(calls: TurnCalls, parent: string): { parentToolCallId?: string } {
  return parent === "" ? {} : { parentToolCallId: agentCallOf(calls, parent) };
}

/** The stream between two blocks. */
export function withoutBlock({ modelMessageId, index }: OpenBlock): OpenBlock {
  return { modelMessageId, index, text: "" };
}

/** A copy of the map with this entry set. */
export function withEntry<TValue>(
  map: ReadonlyMap<string, TValue>,
  key: string,
  value: TValue,
): ReadonlyMap<string, TValue> {
  return new Map(map).set(key, value);
}
