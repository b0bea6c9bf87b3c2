import { isIP } from "node:net";

import { type AddressRule, isNotLinkLocal, isPublicAddress } from "../lib/address-rules.ts";

/** A host that programs may name in a callback, as the person has written it into the own config file. */
export interface CallbackHost {
  /** Such as `ci.example.org` or `127.0.0.1:9000`. */
  readonly host: string;
  /** What requests to it are signed with. */
  readonly secret: string;
  /**
   * Whether its name may stand for addresses of this machine and its networks, and be reached by http. Default: only where
   * the host is such an address, or `localhost`.
   */
  readonly private?: boolean | undefined;
}

/** Where a callback goes. */
export interface CallbackPlace {
  readonly url: URL;
  readonly secret: string;
  /** Which addresses the name of the host may stand for at the moment of sending. */
  readonly mayConnect: AddressRule;
}

/** Where callbacks may go. Everywhere else they are refused by a sentence that says why. */
export type FindCallbackPlace = (address: string) => CallbackPlace | string;

export function createCallbackPlaces(hosts: readonly CallbackHost[]): FindCallbackPlace {
  return (address) => {
    if (!URL.canParse(address)) return "This is no address.";
    const url = new URL(address);
    if (url.protocol !== "https:" && url.protocol !== "http:") return "This is no web address.";
    if (url.username !== "" || url.password !== "") return "An address has no name or password.";
    const known = hosts.find(({ host }) => url.host === hostOf(url.protocol, host));
    if (!known) return `The gateway's config does not allow callbacks to ${url.host}.`;
    const isPrivate = known.private ?? namesAddress(url.hostname);
    if (!isPrivate && url.protocol === "http:") return `${url.host} is called by https only.`;
    const mayConnect = isPrivate ? isNotLinkLocal : isPublicAddress;
    return { url, secret: known.secret, mayConnect };
  };
}

/** As the address has it, without the port that its protocol has by itself. */
function hostOf(protocol: string, host: string): string | undefined {
  const address = `${protocol}//${host}/`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** No name server says what these stand for. */
function namesAddress(hostname: string): boolean {
  return hostname === "localhost" || isIP(hostname.replaceAll(/^\[|\]$/gu, "")) !== 0;
}
