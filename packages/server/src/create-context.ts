import { AgentTokens } from "./auth/agent-tokens.ts";
import { Authenticator } from "./auth/authenticator.ts";
import { endWhileOpenOf } from "./auth/credential-lifetimes.ts";
import { FailureLimiter } from "./auth/failure-limiter.ts";
import { GatewayIdentity } from "./auth/gateway-identity.ts";
import { LaunchCodes } from "./auth/launch-codes.ts";
import { ProofNonces } from "./auth/proof-nonces.ts";
import { ConnectionRoom } from "./http/connection-room.ts";
import { describeError, type ServerLog } from "./http/request-log.ts";
import { SendingBudget } from "./http/sending-budget.ts";
import { TrustedProxies } from "./http/trusted-proxies.ts";
import { UnauthenticatedConnections } from "./http/unauthenticated-connections.ts";
import { AskedStates } from "./mcp/asked-states.ts";
import { McpSessions } from "./mcp/mcp-sessions.ts";
import { createMemoryUsedStates } from "./mcp/used-states.ts";
import { Metrics } from "./metrics/metrics.ts";
import { maxAgeMsOf, type PeopleOptions } from "./people/people-options.ts";
import { People } from "./people/people.ts";
import type { ServerContext } from "./server-context.ts";
import { DEFAULT_PERSON_NAME, type ServerOptions } from "./server-options.ts";
import { DEFAULT_STREAM_LIMITS } from "./streams/stream-limits.ts";
import { StreamRegistry } from "./streams/stream-registry.ts";

const NOBODY: PeopleOptions = { issuers: [], key: new Uint8Array(32) };
const SILENT = { info: ignore, warn: ignore, error: ignore };

/** Creates the dependencies that the routes of a server share. */
export function createContext(options: ServerOptions): ServerContext {
  const { gateway, clock, version, personToken, personName = DEFAULT_PERSON_NAME } = options;
  const limiter = new FailureLimiter(clock);
  const { log = SILENT, moreMetrics: more = () => [] } = options;
  const agentTokens = new AgentTokens();
  const people = createPeople(options, log);
  const lifetimes = { ...options.lifetimes, signInMs: maxAgeMsOf(options.people ?? NOBODY) };
  const nonces = new ProofNonces(clock);
  const pageUrls = new Set<string>();
  const streamLimits = { ...DEFAULT_STREAM_LIMITS, ...options.streamLimits };
  const streams = new StreamRegistry(streamLimits, {
    clock,
    endOf: async (id) => {
      const known = (await gateway.credentials.list()).find(({ tokenId }) => tokenId === id);
      return known ? endWhileOpenOf(known, lifetimes) : -Infinity;
    },
  });
  const { room, strangers } = options.nodes?.front ?? createDoorParts(options, log);
  const openMetrics = (): Metrics => new Metrics({ gateway, clock, streams, version, more });
  return {
    gateway,
    clock,
    version,
    limiter,
    lifetimes,
    nonces,
    pageUrls,
    identity: new GatewayIdentity(options.identitySeed),
    proxies: new TrustedProxies(options.trustProxy),
    streamLimits,
    room,
    strangers,
    isNode: options.nodes !== undefined,
    sending: new SendingBudget(clock),
    log,
    launchCodes: new LaunchCodes(clock),
    people,
    publicUrl: options.publicUrl,
    ownTools: options.ownTools ?? (() => []),
    streams,
    metricsAccess: options.metricsAccess ?? "token",
    openMetrics,
    metrics: openMetrics(),
    agentTokens,
    authenticator: new Authenticator({
      credentials: gateway.credentials,
      clock,
      limiter,
      agentTokens,
      nonces,
      pageUrls,
      lifetimes,
      personName,
      roleOf: (signIn) => people.roleOf(signIn),
      personToken,
      onUnnoted: (error) => log.warn(describeError(error), "the use of a credential was not noted"),
    }),
    mcp: createMcp(options, log),
  };
}

/** The connection limits of the server. With several nodes they belong to the front. */
function createDoorParts(
  { clock, maxConnections: most }: ServerOptions,
  log: ServerLog,
): Pick<ServerContext, "room" | "strangers"> {
  const room = new ConnectionRoom({ clock, log, most });
  return { room, strangers: new UnauthenticatedConnections(clock, room) };
}

function createPeople({ people, clock }: ServerOptions, log: ServerLog): People {
  return new People(people ?? NOBODY, {
    clock,
    onProblem: (issuerId, error) =>
      log.warn(
        { issuerId, ...describeError(error) },
        "an issuer could not be asked, or did not agree",
      ),
  });
}

function createMcp(options: ServerOptions, log: ServerLog): McpSessions {
  const { gateway, clock, version } = options;
  return new McpSessions({
    tools: gateway.tools,
    clock,
    log,
    version,
    takeMessage: options.takeMessage ?? (async () => undefined),
    holdLimitMs: options.toolHoldLimitMs,
    toCardUrl: options.toCardUrl ?? ((interactionId) => `/i/${interactionId}`),
    states: new AskedStates(clock, options.stateKey),
    usedStates: options.usedStates ?? createMemoryUsedStates(clock),
  });
}

function ignore(): void {}
