import { isIP } from "node:net";

import { type AddressRule, isNotLinkLocal, isPublicAddress } from "../lib/address-rules.ts";

/** A host that programs may use for callbacks, from the person's config file. */
export interface CallbackHost {
  /** For example `ci.example.org` or `127.0.0.1:9000`. */
  readonly host: string;
  /** The secret that signs requests to this host. */
  readonly secret: string;
  /**
   * Whether the host name may resolve to addresses of this machine and its networks, and may be called over http.
   * Default: `true` for `localhost` and IP addresses, `false` for other names.
   */
  readonly private?: boolean | undefined;
}

/** An allowed callback address. */
export interface CallbackTarget {
  readonly url: URL;
  readonly secret: string;
  /** The addresses that the host name may resolve to when the request is sent. */
  readonly mayConnect: AddressRule;
}

/** Returns the place for a callback address, or a sentence that says why the address is refused. */
export type FindCallbackTarget = (address: string) => CallbackTarget | string;

export function createCallbackTargets(hosts: readonly CallbackHost[]): FindCallbackTarget {
  return (address) => {
    if (!URL.canParse(address)) return "This is not an address.";
    const url = new URL(address);
    if (url.protocol !== "https:" && url.protocol !== "http:") return "This is not a web address.";
    if (url.username !== "" || url.password !== "") {
      return "The address must not contain a name or password.";
    }
    const known = hosts.find(({ host }) => url.host === hostOf(url.protocol, host));
    if (!known) return `The gateway's config does not allow callbacks to ${url.host}.`;
    const isPrivate = known.private ?? namesAddress(url.hostname);
    if (!isPrivate && url.protocol === "http:") return `${url.host} is called only over https.`;
    const mayConnect = isPrivate ? isNotLinkLocal : isPublicAddress;
    return { url, secret: known.secret, mayConnect };
  };
}

/** Normalizes a configured host like `URL.host`, which omits the protocol's default port. */
function hostOf(protocol: string, host: string): string | undefined {
  const address = `${protocol}//${host}/`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** Whether the host is `localhost` or an IP address, which need no name server. */
function namesAddress(hostname: string): boolean {
  return hostname === "localhost" || isIP(hostname.replaceAll(/^\[|\]$/gu, "")) !== 0;
}
