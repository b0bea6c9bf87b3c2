import type { AgentDelta, AgentEvent, Clock } from "@holdpoint/engine";

type Call = Extract<AgentEvent, { type: "tool_call" }>;

/** A tool call's message may arrive shortly after the call's request to a person. */
const CALL_GRACE_MS = 1000;

/** The tool calls of a turn that have no result yet. */
export class CalledTools {
  readonly #open = new Map<string, Call>();
  readonly #waits = new Map<AbortController, string>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(item: AgentEvent | AgentDelta): void {
    if (item.type === "tool_result") this.#open.delete(item.toolCallId);
    if (item.type !== "tool_call") return;
    this.#open.set(item.toolCallId, item);
    for (const [seen, prefix] of this.#waits) {
      if (item.toolName.startsWith(prefix)) seen.abort();
    }
  }

  /** The open calls of an MCP server, oldest first; waits a moment for one if there are none. Never rejects. */
  async ofServer(serverName: string, signal: AbortSignal): Promise<readonly Call[]> {
    // The runtime's naming scheme for tools.
    const prefix = `mcp__${serverName.replaceAll(/[^a-zA-Z0-9_-]/gu, "_")}__`;
    const find = (): Call[] =>
      [...this.#open.values()].filter(({ toolName }) => toolName.startsWith(prefix));
    if (find().length > 0) return find();
    const seen = new AbortController();
    this.#waits.set(seen, prefix);
    const either = AbortSignal.any([seen.signal, signal]);
    await this.#clock.sleep(CALL_GRACE_MS, { signal: either }).catch(() => undefined); // seen, or over
    this.#waits.delete(seen);
    return find();
  }
}
