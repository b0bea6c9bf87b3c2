export { isLoopback } from "./http/allowed-hosts.ts";
export { isEmbedOrigin } from "./http/embed-origins.ts";
export { createServer } from "./server.ts";
export type { GatewayServer, ListeningAddress, ToolAccess } from "./server.ts";
export type { ServedGateway } from "./server-context.ts";
export { ServerError } from "./server-error.ts";
export type { ServerOptions } from "./server-options.ts";
export type { ServerLog } from "./http/request-log.ts";
export type { StreamLimits } from "./streams/stream-limits.ts";
