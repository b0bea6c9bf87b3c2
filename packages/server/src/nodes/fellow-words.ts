import type { IncomingMessage } from "node:http";

import type { ForwardedClient } from "../http/trusted-proxies.ts";

const PREFIX = "holdpoint-node-";
const CLIENT = `${PREFIX}client`;
const PROTOCOL = `${PREFIX}protocol`;
const PAGE_URLS = `${PREFIX}origins`;
const FENCE = `${PREFIX}fence`;
const PATH = `${PREFIX}path`;
const LINK = `${PREFIX}link`;
/**
 * The version of all that nodes say to each other. A node that works refuses what has another one. What an older node may leave
 * unread needs no new one.
 */
const LINK_VERSION = "1";

/** Headers that are for one connection, and not for whoever is behind it (RFC 9110). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What a fellow node says of a request that it passes on. */
export interface FellowWords {
  readonly client: ForwardedClient;
  /** Those of the pages that it serves. */
  readonly pageUrls: ReadonlySet<string>;
  /** Of the node that it takes for the working one. */
  readonly fence: number;
  /** As `takenPathOf` says it. */
  readonly path?: string | undefined;
}

/** As raw headers. */
export function toFellowHeaders({ client, pageUrls, fence, path }: FellowWords): string[] {
  const { address, protocol } = client;
  return [
    ...(address === undefined ? [] : [CLIENT, address]),
    ...(protocol === undefined ? [] : [PROTOCOL, protocol]),
    PAGE_URLS,
    [...pageUrls].join(" "),
    FENCE,
    String(fence),
    ...(path === undefined ? [] : [PATH, path]),
    LINK,
    LINK_VERSION,
  ];
}

/** Whether a fellow node speaks as this one does. */
export function isUnderstood({ headers }: IncomingMessage): boolean {
  return headers[LINK] === LINK_VERSION;
}

/** Only for requests over the link of nodes: from anybody else the same headers are worth nothing. */
export function readFellowWords({ headers }: IncomingMessage): FellowWords {
  const address = headers[CLIENT]?.toString();
  const protocol = headers[PROTOCOL];
  return {
    client: {
      address,
      ...((protocol === "http" || protocol === "https") && { protocol }),
    },
    pageUrls: new Set(
      headers[PAGE_URLS]
        ?.toString()
        .split(" ")
        .filter((url) => URL.canParse(url)),
    ),
    fence: Number(headers[FENCE]),
    path: headers[PATH]?.toString(),
  };
}

/** The same headers without those that end at this node, and without any that speaks as a node. */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
  const named = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === "connection" ? value.toLowerCase().split(/\s*,\s*/u) : [],
  );
  const isOwn = (name: string): boolean =>
    HOP_BY_HOP.has(name) || named.includes(name) || name.startsWith(PREFIX);
  return pairs.filter(([name]) => !isOwn(name.toLowerCase())).flat();
}
