import { isTraceparent } from "@holdpoint/protocol";
import type { ServerContext as McpContext } from "@modelcontextprotocol/server";

import type { CallParams } from "./agent-tools.ts";

/**
 * Returns the trace that a call belongs to: `_meta.traceparent` (as in MCP and the OpenTelemetry conventions),
 * otherwise the HTTP request's header. Invalid values are ignored.
 */
export function traceOf(
  { _meta: meta }: CallParams,
  { http }: Pick<McpContext, "http">,
): string | undefined {
  const sent = [meta?.["traceparent"], http?.req?.headers.get("traceparent")];
  return sent.find((text) => typeof text === "string" && isTraceparent(text));
}
