import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";

import type { Delivered } from "./tool-ask.ts";
import { agentCallOf, findCall, type TurnCalls } from "./turn-calls.ts";

/**
 * Answers given to the runtime that it has not yet proven to have. Writing an answer to its input proves nothing, as
 * the process may die before it reads. A later message about the same call is proof.
 */
export class Handovers {
  readonly #open = new Map<string, Delivered[]>();
  readonly #records: Promise<void>[] = [];

  add(toolCallId: string, delivered: Delivered): void {
    this.#open.set(toolCallId, [...(this.#open.get(toolCallId) ?? []), delivered]);
  }

  /** Records that the runtime has every answer given for this call so far. */
  deliver(toolCallId: string): void {
    this.#record(toolCallId);
  }

  /**
   * Must be called when the turn has ended. `isTaken`: the runtime ended the turn, so it has every answer. Otherwise
   * delivery is unknown. Resolves once everything is recorded.
   */
  async end(isTaken: boolean): Promise<void> {
    for (const toolCallId of this.#open.keys()) {
      this.#record(toolCallId, ...(isTaken ? [] : (["unknown"] as const)));
    }
    await Promise.all(this.#records);
  }

  #record(toolCallId: string, ...knowledge: Parameters<Delivered>): void {
    const open = this.#open.get(toolCallId) ?? [];
    this.#open.delete(toolCallId);
    // The gateway keeps trying to record it, and repairs the rest when it starts.
    for (const delivered of open) {
      this.#records.push(delivered(...knowledge).catch(() => undefined));
    }
  }
}

/**
 * The tool calls that must have been decided before the runtime sent this message: calls with a result, running calls,
 * and calls whose sub-agent speaks.
 */
export function findReceipts(calls: TurnCalls, message: SDKMessage): string[] {
  const found = "parent_tool_use_id" in message ? message.parent_tool_use_id : undefined;
  const ids = typeof found === "string" ? [agentCallOf(calls, found)] : [];
  const add = (runtimeId: string): void => {
    const call = findCall(calls, { runtimeId, parent: found ?? "" });
    if (call) ids.push(call.toolCallId);
  };
  if (message.type === "tool_progress") add(message.tool_use_id);
  if (message.type !== "user" || "isReplay" in message) return ids;
  const { content } = message.message;
  for (const block of typeof content === "string" ? [] : content) {
    if (block.type === "tool_result") add(block.tool_use_id);
  }
  return ids;
}
