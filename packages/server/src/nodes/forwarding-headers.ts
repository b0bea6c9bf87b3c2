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
 * The version of the protocol between nodes. A working node refuses requests with another version. Additions that older
 * nodes can ignore do not need a new version.
 */
const LINK_VERSION = "1";

/** Hop-by-hop headers (RFC 9110), which are not forwarded. */
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

/** The facts that a node adds to a request that it forwards. */
export interface ForwardingFacts {
  readonly client: ForwardedClient;
  /** Base URLs of the pages that the forwarding node serves. */
  readonly pageUrls: ReadonlySet<string>;
  /** The lease fence of the node that the forwarding node believes to be working. */
  readonly fence: number;
  /** See `takenPathOf`. */
  readonly path?: string | undefined;
}

/** Encodes the facts as raw headers. */
export function toForwardingHeaders({ client, pageUrls, fence, path }: ForwardingFacts): string[] {
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

/** True when both nodes use the same protocol version. */
export function isUnderstood({ headers }: IncomingMessage): boolean {
  return headers[LINK] === LINK_VERSION;
}

/** Reads the facts from the headers. Only for requests over the node link: other clients could forge them. */
export function readForwardingFacts({ headers }: IncomingMessage): ForwardingFacts {
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

/** Removes hop-by-hop headers, and any header that only nodes may send. */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
  const named = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === "connection"
      ? value
          .toLowerCase()
          .split(",")
          .map((word) => word.trim())
      : [],
  );
  const isOwn = (name: string): boolean =>
    HOP_BY_HOP.has(name) || named.includes(name) || name.startsWith(PREFIX);
  return pairs.filter(([name]) => !isOwn(name.toLowerCase())).flat();
}
