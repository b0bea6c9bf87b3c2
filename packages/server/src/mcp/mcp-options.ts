import type { Clock } from "@holdpoint/engine";

import type { ServerLog } from "../http/request-log.ts";
import type { AskedStates } from "./asked-states.ts";
import type { ServedTools } from "./served-tools.ts";
import type { UsedStates } from "./used-states.ts";

/** What all MCP clients of a gateway share. */
export interface McpOptions {
  readonly tools: ServedTools;
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly version: string;
  /** Takes the message for an agent that the gateway has not started. */
  readonly takeMessage: (sessionId: string) => Promise<string | undefined>;
  /** How long a call may hold a client that does not wait forever; default: by what is known of the client. */
  readonly holdLimitMs: number | undefined;
  /** Where a person answers an interaction. */
  readonly toCardUrl: (interactionId: string) => string;
  readonly states: AskedStates;
  readonly usedStates: UsedStates;
}
