import { isIPv6 } from "node:net";

const WILDCARDS = new Set(["0.0.0.0", "::"]);
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** The exact `Host` and `Origin` values that a server accepts. */
export interface AllowedHosts {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  /**
   * Base URLs of the gateway's own pages, without a trailing slash: each origin, also with the path of the public URL.
   */
  readonly pageUrls: ReadonlySet<string>;
  /** Origins of embedding pages that may use the API. */
  readonly embedOrigins: ReadonlySet<string>;
  /** Paths that may be read under any host name: their answers contain nothing that another site's page could use. */
  readonly probes: ReadonlySet<string>;
}

/** True for an address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** True for an address that means all addresses of this machine. */
export function isWildcard(host: string): boolean {
  return WILDCARDS.has(host);
}

/** Formats an address for a URL or a `Host` header. */
export function toUrlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * The hosts and origins for a server bound to `host` and `port`: its own address, the loopback names if they lead to
 * it, the names in its certificate, and the public URL. A wildcard address is not accepted as a name: browsers treat
 * 0.0.0.0 as a way around origin checks.
 */
export function toAllowedHosts(bind: {
  host: string;
  port: number;
  /** True when the server terminates TLS. */
  isSecure?: boolean | undefined;
  /** Further names and addresses, such as the certificate's. */
  names?: readonly string[] | undefined;
  publicUrl?: URL | undefined;
  embedOrigins?: readonly string[] | undefined;
  probes?: readonly string[] | undefined;
}): AllowedHosts {
  const names = new Set(isWildcard(bind.host) || isLoopback(bind.host) ? LOOPBACK : []);
  const others = isWildcard(bind.host) ? [] : [bind.host];
  for (const name of [...others, ...(bind.names ?? [])]) names.add(toUrlHost(name).toLowerCase());
  const hosts = new Set<string>();
  const origins = new Set<string>();
  for (const name of names) {
    const url = new URL(`${bind.isSecure === true ? "https" : "http"}://${name}:${bind.port}`);
    hosts.add(`${url.hostname}:${bind.port}`);
    hosts.add(url.host);
    origins.add(url.origin);
  }
  const pageUrls = new Set(origins);
  if (bind.publicUrl) {
    const { origin, pathname } = bind.publicUrl;
    for (const host of hostsOf(bind.publicUrl)) hosts.add(host);
    origins.add(origin);
    const path = pathname.replace(/\/$/u, "");
    for (const own of [origin, ...pageUrls]) pageUrls.add(own + path);
  }
  const [embedOrigins, probes] = [new Set(bind.embedOrigins), new Set(bind.probes)];
  return { hosts, origins, pageUrls, embedOrigins, probes };
}

/** The `Host` values for a URL. Browsers omit the default port, other clients may not. */
export function hostsOf({ host, hostname, port, protocol }: URL): string[] {
  return port === "" ? [host, `${hostname}:${protocol === "https:" ? 443 : 80}`] : [host];
}
