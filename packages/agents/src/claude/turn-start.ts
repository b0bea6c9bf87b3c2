import type { AgentEvent } from "@holdpoint/engine";

import type { ClaudeProcess } from "./claude-process.ts";
import type { ClaudeTurn } from "./claude-turn.ts";
import type { ResumedCall } from "./parking.ts";

export interface TurnStart {
  /** The agent's events of this turn that the log already has. */
  readonly told?: readonly AgentEvent[];
  /** Tool call ids by the runtime's id of its request. */
  readonly asked?: ReadonlyMap<string, string> | undefined;
  /** The call that the turn resumes or has resumed. Its process serves this turn only. */
  readonly resumed?: ResumedCall | undefined;
  /** The process runs already, left by another gateway. If it is gone, it never learned the outcome of its requests. */
  readonly isLeft?: true;
  readonly open: () => Promise<ClaudeProcess>;
  /** Called once the process is open, unless the turn was stopped before. */
  readonly go: (turn: ClaudeTurn, process: ClaudeProcess | undefined) => void;
}
