import type { Clock } from "@holdpoint/engine";

import type { ServerLog } from "../http/request-log.ts";
import type { AskedStates } from "./asked-states.ts";
import type { ServedTools } from "./served-tools.ts";
import type { UsedStates } from "./used-states.ts";

/** Options shared by all MCP clients of a gateway. */
export interface McpOptions {
  readonly tools: ServedTools;
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly version: string;
  /** Takes the next message for an agent that the gateway did not start. */
  readonly takeMessage: (sessionId: string) => Promise<string | undefined>;
  /** How long a call may keep a client waiting that has a limit, in milliseconds. Default: depends on the client. */
  readonly holdLimitMs: number | undefined;
  /** Returns the URL of the page where a person answers an interaction. */
  readonly toCardUrl: (interactionId: string) => string;
  readonly states: AskedStates;
  readonly usedStates: UsedStates;
}
