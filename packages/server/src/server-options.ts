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
import type { NodeDoor } from "./nodes/node-door.ts";
import type { PeopleOptions } from "./people/people-options.ts";
import type { ServedGateway } from "./server-context.ts";
import { ServerError } from "./server-error.ts";
import type { StreamLimits } from "./streams/stream-limits.ts";

const MIN_TOKEN_LENGTH = 32;
const MAX_TOKEN_LENGTH = 512;

const MAX_PATH_LENGTH = 100;
/** Paths of the gateway's own begin with these: under them nobody could say whether a proxy has taken a path off. */
const OWN_PATHS =
  /^\/(?:api|archived|assets|devices|folder|grants|healthz|history|i|mcp|metrics|pair|readyz|s|signed-in)(?:\/|$)/u;

export const DEFAULT_PERSON_NAME = "Owner";

export interface ServerOptions {
  readonly gateway: ServedGateway;
  readonly clock: Clock;
  /** Of the product; shown in the OpenAPI document and by `/metrics`. */
  readonly version: string;
  /** Folder of the built web interface, with its `index.html`. Without one only the API is served. */
  readonly webRoot?: string;
  /**
   * Where people reach the gateway if not at the address it is bound to, such as `https://holdpoint.example`. With a path the
   * gateway is under that path and at the root: a proxy may take the path off its requests or leave it.
   */
  readonly publicUrl?: string;
  /** Makes the server speak https. It then answers to the hosts that the certificate names as well. */
  readonly tls?: Tls;
  /**
   * Addresses and networks of proxies, such as `10.0.0.0/8`. What these say in `X-Forwarded-For` of a client counts;
   * what anybody else says there is ignored. Default: none.
   */
  readonly trustProxy?: readonly string[];
  /**
   * Origins whose pages may use the API and read its answers, such as `https://desk.example`. Default: none. What such a
   * page does with a person's token is the person's doing, so name only those you trust as the gateway's own page.
   */
  readonly embedOrigins?: readonly string[];
  /** A token that is accepted as the person's, for programs; at least 32 characters. */
  readonly personToken?: string;
  /**
   * 32 bytes that nothing but this gateway knows, the same after a restart: its devices know it again by a key that is
   * made of them. Default: random, so that they sign in again.
   */
  readonly identitySeed?: Uint8Array;
  readonly lifetimes?: CredentialLifetimes;
  /** Name of the person who uses this gateway; stored with every answer. Default "Owner". */
  readonly personName?: string;
  /** Where other people sign in, and which of them may come in. Default: nobody. */
  readonly people?: PeopleOptions;
  /** The tools beside the built-in ones. Default: none. */
  readonly ownTools?: () => readonly ToolSummary[];
  /**
   * Takes the message for an agent that the gateway has not started, such as a late answer. The agent gets it with the
   * result of its next call. Default: there is never one.
   */
  readonly takeMessage?: (sessionId: string) => Promise<string | undefined>;
  /**
   * How long a tool call may hold an MCP client, in milliseconds, before it ends as queued. Default: by what is known of
   * the client. Agents that the gateway has started itself are held without limit.
   */
  readonly toolHoldLimitMs?: number;
  /** The address at which a person answers an interaction. MCP clients that can show a page are sent there. */
  readonly toCardUrl?: (interactionId: string) => string;
  /**
   * 32 bytes that nothing but this gateway knows, the same after a restart: with them it signs what MCP clients come back
   * with. Default: random, so that they call again.
   */
  readonly stateKey?: Uint8Array;
  /** Default: forgotten with the process. */
  readonly usedStates?: UsedStates;
  /** Who may read `/metrics`. Default `token`. */
  readonly metricsAccess?: MetricsAccess;
  /** Figures beside those of the gateway. */
  readonly moreMetrics?: () => readonly MetricFamily[];
  /** Default: nothing is logged. */
  readonly log?: ServerLog;
  readonly streamLimits?: Partial<StreamLimits>;
  /** Connections at the same time. Default: half of the file descriptors that this process may open. */
  readonly maxConnections?: number;
  /** Of one of several nodes, which listens already. */
  readonly nodes?: NodePlace;
}

/** Where requests reach a node that works. Closing the server leaves both open. */
export interface NodePlace {
  readonly front: Front;
  /** For fellow nodes. */
  readonly door: NodeDoor;
  /** Of the lease under which the node works. */
  readonly fence: number;
}

/** Throws `ServerError` for a public URL that pages cannot be served from, or that leads over a network in the clear. */
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
      `The public URL cannot have the path ${url.pathname}: the gateway has something of its own there.`,
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

/** Throws `ServerError` for an origin that could never match, or that anybody on the network could speak for. */
export function assertEmbedOrigins(origins: readonly string[] = []): void {
  const unusable = origins.find((origin) => !isEmbedOrigin(origin));
  if (unusable === undefined) return;
  throw new ServerError(
    "BAD_CONFIG",
    `The origin "${unusable}" must look like https://host[:port], or http://localhost[:port].`,
  );
}

/** Throws `ServerError` for a token that is easy to guess or that no `Authorization` header can carry. */
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
