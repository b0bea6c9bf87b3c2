import { isPublicAddress, isNotLinkLocal, type AddressRule } from "../lib/address-rules.ts";

/** The push services of the browsers. `*.` matches any subdomain. */
const KNOWN_SERVICES = [
  "fcm.googleapis.com",
  "*.push.services.mozilla.com",
  "*.push.apple.com",
  "*.notify.windows.com",
];
const MAX_LENGTH = 2048;

/** Decides which push service addresses a subscription may use. They come from browsers, so they are untrusted. */
export interface PushServices {
  /** Returns the address if messages may be sent there, otherwise `undefined`. */
  parse(endpoint: string): URL | undefined;
  /** Returns the rule for the IP addresses of an endpoint's host. */
  ruleOf(endpoint: URL): AddressRule;
}

/** `further`: hosts that the person trusts in addition, such as `push.example.org` or `localhost:8443`. */
export function createPushServices(further: readonly string[] = []): PushServices {
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

/** `host` includes the port unless it is the https default. */
function fits(service: string, host: string): boolean {
  return service.startsWith("*.") ? host.endsWith(service.slice(1)) : host === service;
}
