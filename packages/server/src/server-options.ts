import type { Clock } from "@holdpoint/engine";
import type { ToolSummary } from "@holdpoint/protocol";

import type { CredentialLifetimes } from "./auth/credential-lifetimes.ts";
import { isLoopback } from "./http/allowed-hosts.ts";
import { isEmbedOrigin } from "./http/embed-origins.ts";
import type { Front } from "./http/front.ts";
import type { ServerLog } from "./http/request-log.ts";
import type { Tls } from "./http/tls.ts";
import type { UsedStates } from "./mcp/used-states.ts";
import type { MetricFamily } from "./metrics/metric-text.ts";
import type { MetricsAccess } from "./metrics/metrics-access.ts";
import type { NodeListener } from "./nodes/node-listener.ts";
import type { PeopleOptions } from "./people/people-options.ts";
import type { ServedGateway } from "./server-context.ts";
import { ServerError } from "./server-error.ts";
import type { StreamLimits } from "./streams/stream-limits.ts";

const MIN_TOKEN_LENGTH = 32;
const MAX_TOKEN_LENGTH = 512;

const MAX_PATH_LENGTH = 100;
/**
 * Paths of the gateway's own start with these. A public URL under them would make it unclear whether a proxy has
 * removed its path.
 */
const OWN_PATHS =
  /^\/(?:api|archived|assets|devices|folder|grants|healthz|history|i|mcp|metrics|pair|readyz|s|signed-in)(?:\/|$)/u;

export const DEFAULT_PERSON_NAME = "Owner";

export interface ServerOptions {
  readonly gateway: ServedGateway;
  readonly clock: Clock;
  /** The product version, shown in the OpenAPI document and in `/metrics`. */
  readonly version: string;
  /** Folder of the built web interface, with its `index.html`. Without it only the API is served. */
  readonly webRoot?: string;
  /**
   * Where people reach the gateway if not at its bound address, such as `https://holdpoint.example`. If it has a path,
   * the gateway serves both that path and the root, so that a proxy may remove the path or keep it.
   */
  readonly publicUrl?: string;
  /** Serves https. The server then also accepts the host names in the certificate. */
  readonly tls?: Tls;
  /**
   * Addresses and networks of trusted proxies, such as `10.0.0.0/8`. `X-Forwarded-For` from other peers is ignored.
   * Default: none.
   */
  readonly trustProxy?: readonly string[];
  /**
   * Origins whose pages may use the API and read its answers, such as `https://desk.example`. Default: none. Whatever
   * such a page does with a person's token counts as done by that person, so only list origins that you trust like the
   * gateway's own page.
   */
  readonly embedOrigins?: readonly string[];
  /** A token for the person's programs; at least 32 characters. */
  readonly personToken?: string;
  /**
   * 32 secret bytes, the same across restarts. The key by which devices recognise the gateway is derived from them.
   * Default: random, so that devices must sign in again after a restart.
   */
  readonly identitySeed?: Uint8Array;
  readonly lifetimes?: CredentialLifetimes;
  /** Name of the gateway's owner, stored with every answer. Default "Owner". */
  readonly personName?: string;
  /** Issuers where other people sign in, with the people to admit. Default: no one. */
  readonly people?: PeopleOptions;
  /** Tools in addition to the built-in ones. Default: none. */
  readonly ownTools?: () => readonly ToolSummary[];
  /**
   * Takes the next message for an agent that the gateway did not start, such as a late answer. The agent gets it with
   * the result of its next call. Default: no messages.
   */
  readonly takeMessage?: (sessionId: string) => Promise<string | undefined>;
  /**
   * How long a tool call may keep an MCP client waiting, in milliseconds, before it ends as queued. Default: depends on
   * the client. There is no limit for agents that the gateway started.
   */
  readonly toolHoldLimitMs?: number;
  /** Returns the URL where a person answers an interaction. MCP clients that can show pages are sent there. */
  readonly toCardUrl?: (interactionId: string) => string;
  /**
   * 32 secret bytes, the same across restarts, that sign the `requestState` of MCP clients. Default: random, so that
   * clients must call again after a restart.
   */
  readonly stateKey?: Uint8Array;
  /** Default: kept in memory only. */
  readonly usedStates?: UsedStates;
  /** Who can read `/metrics`. Default `token`. */
  readonly metricsAccess?: MetricsAccess;
  /** Metrics in addition to the gateway's. */
  readonly moreMetrics?: () => readonly MetricFamily[];
  /** Default: no logging. */
  readonly log?: ServerLog;
  readonly streamLimits?: Partial<StreamLimits>;
  /** The most simultaneous connections. Default: half of the file descriptors that this process may open. */
  readonly maxConnections?: number;
  /** For one of several nodes: the front and door that already listen. */
  readonly nodes?: NodePlace;
}

/** Where a working node receives requests. Closing the server leaves the front and the door open. */
export interface NodePlace {
  readonly front: Front;
  /** Receives requests from other nodes. */
  readonly door: NodeListener;
  /** The fence of the lease that the node works under. */
  readonly fence: number;
}

/**
 * Parses the public URL. Throws `ServerError` when pages cannot be served from it, or when it uses http on a network.
 */
export function parsePublicUrl(publicUrl: string | undefined): URL | undefined {
  if (publicUrl === undefined) return undefined;
  const url = URL.parse(publicUrl);
  const isUsable =
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.href === url.origin + url.pathname &&
    url.pathname.length <= MAX_PATH_LENGTH &&
    /^(?:\/[\w~-]+)*\/?$/u.test(url.pathname);
  if (!isUsable) {
    throw new ServerError(
      "BAD_CONFIG",
      "The public URL must look like https://host[:port], or https://host[:port]/path with letters, digits and -_~ in its path.",
    );
  }
  if (OWN_PATHS.test(url.pathname)) {
    throw new ServerError(
      "BAD_CONFIG",
      `The public URL cannot have the path ${url.pathname}: the gateway uses that path itself.`,
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, ""))) {
    throw new ServerError(
      "BAD_CONFIG",
      `The public URL ${url.origin} would let answers cross the network in the clear. Use its https address.`,
    );
  }
  return url;
}

/** Throws `ServerError` for an origin that can never match, or that can be impersonated on the network. */
export function assertEmbedOrigins(origins: readonly string[] = []): void {
  const unusable = origins.find((origin) => !isEmbedOrigin(origin));
  if (unusable === undefined) return;
  throw new ServerError(
    "BAD_CONFIG",
    `The origin "${unusable}" must look like https://host[:port], or http://localhost[:port].`,
  );
}

/** Throws `ServerError` for a token that is easy to guess, or that an `Authorization` header cannot carry. */
export function assertUsableToken(token: string | undefined): void {
  if (token === undefined) return;
  const isUsable =
    token.length >= MIN_TOKEN_LENGTH &&
    token.length <= MAX_TOKEN_LENGTH &&
    /^[\w\-.~+/]+=*$/.test(token);
  if (!isUsable) {
    throw new ServerError(
      "BAD_CONFIG",
      `The configured token must have ${MIN_TOKEN_LENGTH} to ${MAX_TOKEN_LENGTH} letters, digits or "-._~+/".`,
    );
  }
}
