import type { AgentEvent } from "@holdpoint/engine";

import type { ClaudeProcess } from "./claude-process.ts";
import type { ClaudeTurn } from "./claude-turn.ts";
import type { ResumedCall } from "./parking.ts";

/** How a turn begins. */
export interface Beginning {
  /** What the log has already of what the agent does in it. */
  readonly told?: readonly AgentEvent[];
  /** By the runtime's id of a request: the call that it is about. */
  readonly asked?: ReadonlyMap<string, string> | undefined;
  /** The call that it resumes or has resumed. The process is of use for this turn only. */
  readonly resumed?: ResumedCall | undefined;
  /** The process runs already. One that is gone never heard of the end of what it waited for. */
  readonly isLeft?: true;
  readonly open: () => Promise<ClaudeProcess>;
  /** Called once the process is there, unless the turn was stopped before. */
  readonly go: (turn: ClaudeTurn, process: ClaudeProcess | undefined) => void;
}
