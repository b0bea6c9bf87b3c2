/** The longest address that is shown and opened. */
const MAX_LENGTH = 4096;

/** A page for a person to open, with facts about its address that should be shown first. */
export interface VisitAddress {
  /** The whole address as a browser writes it, so that the opened address is the one that was shown. */
  readonly href: string;
  /** The name of the machine in its network form, in Latin letters, with the port if there is one. */
  readonly host: string;
  /** Whether the name contains letters of other alphabets, so that it may differ from the name it resembles. */
  readonly isForeign: boolean;
  /** Whether the page is on the machine of the person who opens it. */
  readonly isLoopback: boolean;
}

export type VisitReading =
  | { readonly address: VisitAddress }
  /** Why the address is not offered to anyone, as a text for people that does not quote it. */
  | { readonly problem: string };

/**
 * Checks an address that a program wants a person to open. Accepts only web pages over TLS or on the same machine,
 * without a name or password before the host, which would hide the destination.
 */
export function readVisitAddress(text: string): VisitReading {
  if (text.length > MAX_LENGTH) return { problem: "Its address is too long to be read." };
  if (!URL.canParse(text)) return { problem: "This is not the address of a page." };
  const url = new URL(text);
  const isLoopback = isLoopbackName(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    return { problem: "Its address does not begin with https://." };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "Its address has a name before the host, which hides where it leads." };
  }
  if (url.href.length > MAX_LENGTH) return { problem: "Its address is too long to be read." };
  const isForeign = url.hostname.split(".").some((label) => label.startsWith("xn--"));
  return { address: { href: url.href, host: url.host, isForeign, isLoopback } };
}

function isLoopbackName(hostname: string): boolean {
  const name = hostname.replace(/\.$/u, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/u.test(name)
  );
}
