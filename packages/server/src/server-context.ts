import type { Clock, Credentials, GatewayFigures, Pairings } from "@holdpoint/engine";
import type { GatewayApi, ToolSummary } from "@holdpoint/protocol";

import type { AgentTokens } from "./auth/agent-tokens.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import type { CredentialLifetimes } from "./auth/credential-lifetimes.ts";
import type { FailureLimiter } from "./auth/failure-limiter.ts";
import type { GatewayIdentity } from "./auth/gateway-identity.ts";
import type { LaunchCodes } from "./auth/launch-codes.ts";
import type { ProofNonces } from "./auth/proof-nonces.ts";
import type { ConnectionRoom } from "./http/connection-room.ts";
import type { ServerLog } from "./http/request-log.ts";
import type { SendingBudget } from "./http/sending-budget.ts";
import type { TrustedProxies } from "./http/trusted-proxies.ts";
import type { UnauthenticatedConnections } from "./http/unauthenticated-connections.ts";
import type { McpSessions } from "./mcp/mcp-sessions.ts";
import type { ServedTools } from "./mcp/served-tools.ts";
import type { MetricsAccess } from "./metrics/metrics-access.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { People } from "./people/people.ts";
import type { StreamLimits } from "./streams/stream-limits.ts";
import type { StreamRegistry } from "./streams/stream-registry.ts";

/** The gateway functions that the server uses. `draining` is true once it takes no new work. */
export type ServedGateway = GatewayApi & {
  readonly draining: boolean;
  readonly tools: ServedTools;
  readonly credentials: Credentials;
  readonly pairings: Pairings;
  takesWrites(): Promise<boolean>;
  readFigures(): Promise<GatewayFigures>;
};

/** The dependencies of the routes, created once per server. */
export interface ServerContext {
  readonly gateway: ServedGateway;
  readonly clock: Clock;
  readonly version: string;
  readonly log: ServerLog;
  readonly authenticator: Authenticator;
  readonly agentTokens: AgentTokens;
  readonly lifetimes: CredentialLifetimes;
  readonly nonces: ProofNonces;
  /** The key by which devices recognise this gateway. */
  readonly identity: GatewayIdentity;
  /** Base URLs of the gateway's own pages, without a trailing slash. Empty until it listens. */
  readonly pageUrls: Set<string>;
  readonly limiter: FailureLimiter;
  readonly proxies: TrustedProxies;
  readonly strangers: UnauthenticatedConnections;
  readonly room: ConnectionRoom;
  readonly sending: SendingBudget;
  readonly launchCodes: LaunchCodes;
  /** The people admitted in addition to the owner. */
  readonly people: People;
  readonly streams: StreamRegistry;
  /** Metrics for `/metrics`. */
  readonly metrics: Metrics;
  /** Creates metrics for another reader. */
  readonly openMetrics: () => Metrics;
  readonly metricsAccess: MetricsAccess;
  readonly mcp: McpSessions;
  /** Where people reach the gateway, if not at its own address. */
  readonly publicUrl: string | undefined;
  readonly ownTools: () => readonly ToolSummary[];
  readonly streamLimits: StreamLimits;
  /** True if this is the working node of several. */
  readonly isNode: boolean;
}
