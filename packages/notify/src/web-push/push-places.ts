import { isPublicAddress, isNotLinkLocal, type AddressRule } from "../lib/address-rules.ts";

/** The push services of the browsers. `*.` stands for any name before the rest. */
const KNOWN_SERVICES = [
  "fcm.googleapis.com",
  "*.push.services.mozilla.com",
  "*.push.apple.com",
  "*.notify.windows.com",
];
const MAX_LENGTH = 2048;

/** Which addresses of push services a subscription may name. A browser says them, so they are anybody's words. */
export interface PushPlaces {
  /** The address, if a message may be sent there. */
  parse(endpoint: string): URL | undefined;
  /** Which IP addresses the host of an endpoint may have. */
  ruleOf(endpoint: URL): AddressRule;
}

/** `further`: hosts that the person trusts beside those of the browsers, such as `push.example.org` or `localhost:8443`. */
export function createPushPlaces(further: readonly string[] = []): PushPlaces {
  const isFurther = ({ host }: URL): boolean => further.some((service) => fits(service, host));
  return {
    parse(endpoint) {
      if (endpoint.length > MAX_LENGTH || !URL.canParse(endpoint)) return undefined;
      const url = new URL(endpoint);
      const { protocol, username, password, hash, host } = url;
      if (protocol !== "https:" || username !== "" || password !== "" || hash !== "") {
        return undefined;
      }
      const isKnown = KNOWN_SERVICES.some((service) => fits(service, host));
      return isKnown || isFurther(url) ? url : undefined;
    },
    ruleOf: (endpoint) => (isFurther(endpoint) ? isNotLinkLocal : isPublicAddress),
  };
}

/** `host` has the port, unless it is that of https. */
function fits(service: string, host: string): boolean {
  return service.startsWith("*.") ? host.endsWith(service.slice(1)) : host === service;
}
