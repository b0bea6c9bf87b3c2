import { isTraceparent } from "@holdpoint/protocol";
import type { ServerContext as McpContext } from "@modelcontextprotocol/server";

import type { CallParams } from "./agent-tools.ts";

/**
 * The trace that a call belongs to: `_meta.traceparent`, as MCP and the conventions of OpenTelemetry have it, else that of
 * the HTTP request. What is no `traceparent` counts for nothing, and nobody hears of it.
 */
export function traceOf(
  { _meta: meta }: CallParams,
  { http }: Pick<McpContext, "http">,
): string | undefined {
  const sent = [meta?.["traceparent"], http?.req?.headers.get("traceparent")];
  return sent.find((text) => typeof text === "string" && isTraceparent(text));
}
