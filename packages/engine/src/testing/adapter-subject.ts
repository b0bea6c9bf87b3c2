import type { AgentAdapter } from "../ports/agent-adapter.ts";

/**
 * The behaviours in one turn that an agent's script must support:
 *
 * - `say_text`: say some text, in pieces where the agent can, and ask for nothing
 * - `ask_question`: ask one card of at least two questions, the first single-select, one of them multi-select,
 *   each with at least two options; then say something
 * - `run_tool`: call once a tool that needs approval in the default permission mode; then say something
 * - `run_three_tools`: call it three times with three different inputs, at once if the agent can
 * - `fail`: run into an error of the agent or its model
 */
export type AgentBehaviour = "say_text" | "ask_question" | "run_tool" | "run_three_tools" | "fail";

/** Capabilities that an adapter may lack. */
export type AdapterCapability = "edited_input" | "run_three_tools" | "fail";

/** A fresh adapter with an agent whose behaviour the suite can choose. Disposed after each test, the adapter first. */
export interface AdapterSubject extends AsyncDisposable {
  readonly adapter: AgentAdapter;
  readonly cwd: string;
  /** The message that makes the agent behave like this in its next turn. */
  prompt(behaviour: AgentBehaviour): string;
  /** The results of tool calls and questions that the agent itself got, in order. */
  heard(): readonly string[];
  /** The inputs with which the tool of `run_tool` actually ran, in order. */
  ranWith(): readonly Record<string, unknown>[];
  /** Another input that the same tool can run with. */
  edit(input: Record<string, unknown>): Record<string, unknown>;
}

export interface AdapterContractOptions {
  readonly cannot?: readonly AdapterCapability[];
  /** The longest that stopping or disposing may take. */
  readonly stopWithinMs?: number;
}
