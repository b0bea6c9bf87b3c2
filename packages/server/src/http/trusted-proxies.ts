import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

import { ServerError } from "../server-error.ts";

/** The client of a request. */
export interface ForwardedClient {
  /** `undefined` once the connection has ended. */
  readonly address: string | undefined;
  /** The protocol between the client and the first proxy, if a trusted proxy reports it. */
  readonly protocol?: "http" | "https";
}

/** The proxies whose forwarding headers are trusted. Other peers' headers are ignored. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** Takes addresses and networks such as `10.0.0.0/8`. Throws `ServerError` for other text. */
  constructor(networks: readonly string[] = []) {
    for (const network of networks) this.#add(network);
  }

  get isEmpty(): boolean {
    return this.#list.rules.length === 0;
  }

  has(address: string | undefined): boolean {
    const family = isIP(address ?? "");
    return address !== undefined && family !== 0 && this.#list.check(address, toFamily(family));
  }

  /**
   * Returns the client of a request: its peer, or the client that trusted proxies report. Each proxy appends its peer's
   * address to `X-Forwarded-For`, so the right-most address that is not a trusted proxy is the client's. Anything to
   * the left of it could be forged by the client.
   */
  clientOf({ socket, headers }: Pick<IncomingMessage, "headers" | "socket">): ForwardedClient {
    let address = plainAddress(socket.remoteAddress);
    if (!this.has(address)) return { address };
    for (const hop of toList(headers["x-forwarded-for"]).toReversed()) {
      const named = plainAddress(withoutPort(hop));
      if (named === undefined || isIP(named) === 0) break;
      address = named;
      if (!this.has(named)) break;
    }
    const protocol = toList(headers["x-forwarded-proto"]).at(-1)?.toLowerCase();
    return { address, ...((protocol === "http" || protocol === "https") && { protocol }) };
  }

  #add(network: string): void {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
    const family = isIP(address);
    const width = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? width : Number(bits);
    if (family === 0 || prefix > width) {
      throw new ServerError(
        "BAD_CONFIG",
        `"${network}" is no address or network of a proxy. Use one such as 10.0.0.0/8 or 127.0.0.1.`,
      );
    }
    this.#list.addSubnet(address, prefix, toFamily(family));
  }
}

function toFamily(family: number): "ipv4" | "ipv6" {
  return family === 6 ? "ipv6" : "ipv4";
}

function toList(header: string | string[] | undefined): string[] {
  const text = [header ?? []].flat().join(",");
  return text === "" ? [] : text.split(",").map((part) => part.trim());
}

/** Removes the port that some proxies add: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  const [, v6] = /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(hop) ?? [];
  const [, v4] = /^([\d.]+):\d{1,5}$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}

/** Unwraps an IPv4-mapped IPv6 address. */
function plainAddress(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
