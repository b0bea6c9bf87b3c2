import { type Gateway, type Store, type Tool } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import type { Interaction, RespondBody, SessionEvent } from "@holdpoint/protocol";
export interface ToolBenchOptions {
  readonly tool: Tool;
  readonly cwd?: string;
  /** Store and clock of an earlier bench, as after a restart. */
  readonly left?: Pick<ToolBench, "store" | "clock" | "sessionId">;
  /** Whether a client that can answer is connected. Default true. */
  readonly present?: boolean;
}
/** A gateway in memory with one tool, and a person who answers. It needs no network, and its clock is simulated. */
export interface ToolBench extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly clock: SimulatedClock;
  readonly sessionId: string;
  /** Calls the tool as an agent does; resolves with its result. The same id again is the same call again. */
  call(args: object, toolCallId?: string): Promise<unknown>;
  /** The pending interactions. */
  waiting(): Promise<readonly Interaction[]>;
  /** Answers the pending interaction, an approval with its digest. Throws when there is not exactly one. */
  answer(body: RespondBody): Promise<Interaction>;
  /** The log of the session. */
  events(): Promise<readonly SessionEvent[]>;
  /** Ends the gateway and keeps its store. */
  stop(): Promise<void>;
}
export declare function openToolBench(options: ToolBenchOptions): Promise<ToolBench>;
