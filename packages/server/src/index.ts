export { isLoopback } from "./http/allowed-hosts.ts";
export { isEmbedOrigin } from "./http/embed-origins.ts";
export { assertIssuers } from "./people/assert-issuers.ts";
export { toPeoplePort } from "./people/people-port.ts";
export { DEFAULT_MAX_AGE_DAYS, issuerIdOf, redirectUriOf } from "./people/people-options.ts";
export type { PeopleOptions } from "./people/people-options.ts";
export { createServer } from "./server.ts";
export type {
  GatewayServer,
  ListeningAddress,
  MetricReader,
  ShownPairing,
  ToolAccess,
} from "./server.ts";
export type { ServedGateway } from "./server-context.ts";
export { ServerError } from "./server-error.ts";
export type { ServerOptions } from "./server-options.ts";
export { describeError } from "./http/request-log.ts";
export type { MetricFamily } from "./metrics/metric-text.ts";
export { residentBytes } from "./metrics/resident-bytes.ts";
export { METRICS_ACCESSES, probesFor } from "./metrics/metrics-access.ts";
export type { MetricsAccess } from "./metrics/metrics-access.ts";
export type { ServerLog } from "./http/request-log.ts";
export type { StreamLimits } from "./streams/stream-limits.ts";
export { createMemoryUsedStates } from "./mcp/used-states.ts";
export type { UsedStates } from "./mcp/used-states.ts";
export { descriptorLimit } from "./http/connection-room.ts";
export { Front } from "./http/front.ts";
export type { FrontHandlers, FrontOptions } from "./http/front.ts";
export { TrustedProxies } from "./http/trusted-proxies.ts";
export { NodeListener } from "./nodes/node-listener.ts";
export type { NodeListenerOptions } from "./nodes/node-listener.ts";
export { Forwarder } from "./nodes/forwarder.ts";
export type { ForwardTarget } from "./nodes/forwarder.ts";
export { createStandby } from "./nodes/standby.ts";
export type { StandbyOptions } from "./nodes/standby.ts";
export { parsePublicUrl } from "./server-options.ts";
export type { NodePlace } from "./server-options.ts";
export { loadStaticFiles } from "./static/static-files.ts";
export type { StaticFiles } from "./static/static-files.ts";
