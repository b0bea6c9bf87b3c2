import type { GatewayTools } from "@holdpoint/engine";

/** The tool functions of the gateway that the server uses. */
export type ServedTools = Pick<GatewayTools, "list" | "call" | "find" | "lateAnswers" | "takeLeft">;
