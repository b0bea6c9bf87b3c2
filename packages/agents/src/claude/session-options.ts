import type { PermissionMode } from "@anthropic-ai/claude-agent-sdk";
import type { ApprovedCall, Clock, Ids, TurnResult } from "@holdpoint/engine";

import type { IdleProcesses } from "./idle-processes.ts";
import type { ModeConditions } from "./permission-modes.ts";
import type { SavedState } from "./saved-state.ts";
import type { ProcessParts } from "./start-process.ts";

export interface ClaudeSessionOptions extends ProcessParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  readonly state: SavedState;
  readonly modeConditions: ModeConditions;
  /** Adds the cause to the result of a crashed process, as far as it can be found. Never rejects. */
  readonly withCause: (result: TurnResult) => Promise<TurnResult>;
  /** How long a process may idle between turns. */
  readonly idleMs: number;
  /** The idle processes of all sessions. */
  readonly idle: IdleProcesses;
  /** Where the runtime keeps its records of conversations; without it, sessions cannot be parked. */
  readonly recordDir: string | undefined;
  /** The previous gateway's note about the process that it left to its host. */
  readonly noteOfLeft: () => string | undefined;
  /** Whether it is certain that this approved call has not acted. Its process has ended. Undefined: nothing is known. */
  readonly hasNotActed: (approved: ApprovedCall) => Promise<boolean | undefined>;
  readonly onDispose: () => void;
}
