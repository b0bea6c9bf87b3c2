/** The longest address that is shown and opened. */
const MAX_LENGTH = 4096;

/** A page that a person is asked to open, and what is to be known of its address before that. */
export interface VisitAddress {
  /** The whole address as a browser writes it: what is shown is what is opened. */
  readonly href: string;
  /** The name of the machine as the network has it, in Latin letters, with the port if there is one. */
  readonly host: string;
  /** The name has letters of other alphabets: read aloud, it can be another one than it looks like. */
  readonly isForeign: boolean;
  /** The page is on the machine of whoever opens it. */
  readonly isLoopback: boolean;
}

export type VisitReading =
  | { readonly address: VisitAddress }
  /** Why nobody is asked to open it, in words for people; quotes nothing of it. */
  | { readonly problem: string };

/**
 * Reads an address that a program wants a person to open. Only web pages over TLS, or on the same machine; none with a name
 * or password before the host, which hides where it leads.
 */
export function readVisitAddress(text: string): VisitReading {
  if (text.length > MAX_LENGTH) return { problem: "Its address is too long to be read." };
  if (!URL.canParse(text)) return { problem: "This is no address of a page." };
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
