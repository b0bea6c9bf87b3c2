import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

import { ServerError } from "../server-error.ts";

/** Where a request comes from. */
export interface ForwardedClient {
  /** `undefined` once its connection has ended. */
  readonly address: string | undefined;
  /** How it reached the first proxy, where a trusted one says so. */
  readonly protocol?: "http" | "https";
}

/** The proxies whose word about a client's address counts. What anybody else says of it is ignored. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** Takes addresses and networks such as `10.0.0.0/8`. Throws `ServerError` for what is neither. */
  constructor(networks: readonly string[] = []) {
    for (const network of networks) this.#add(network);
  }

  get isEmpty(): boolean {
    return this.#list.rules.length === 0;
  }

  /** True for the address of a trusted proxy. */
  has(address: string | undefined): boolean {
    const family = isIP(address ?? "");
    return address !== undefined && family !== 0 && this.#list.check(address, toFamily(family));
  }

  /**
   * The client of a request: its peer, or what trusted proxies say of it. Each proxy adds the address of its own peer at
   * the right of `X-Forwarded-For`, so the right-most one that is no trusted proxy is the client's; all to the left of
   * it is the client's own invention.
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

/** `192.0.2.7:4711` and `[2001:db8::7]:4711` without their ports, as some proxies write them. */
function withoutPort(hop: string): string {
  const [, v6] = /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(hop) ?? [];
  const [, v4] = /^([\d.]+):\d{1,5}$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}

/** An IPv4 address that stands in an IPv6 one, by itself. */
function plainAddress(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
