import type { GatewayTools } from "@holdpoint/engine";

/** The gateway's tools as a server needs them. */
export type ServedTools = Pick<GatewayTools, "list" | "call" | "find" | "lateAnswers" | "takeLeft">;
