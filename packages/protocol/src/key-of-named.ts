import type { Named } from "./responders.ts";

/**
 * Returns a text key for the person or group that a policy or session names. Names of different issuers never match.
 * Empty without an issuer: such a name matches no one.
 */
export function keyOfNamed(named: Named): string {
  const { issuer } = named;
  if (issuer === undefined) return "";
  return "group" in named
    ? toKey("group", issuer, named.group)
    : toKey("person", issuer, named.person);
}

/** Returns a key of visible ASCII characters, so that every store compares it byte by byte. */
export function toKey(kind: "group" | "person", issuer: string, name: string): string {
  const same = kind === "person" && name.includes("@") ? toSameCase(name) : name;
  return [kind, toPlain(issuer), toPlain(same)].join(" ");
}

function toPlain(text: string): string {
  return text.replaceAll(
    /[^!-~]|["%\\]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Lowercases only ASCII letters: in other scripts, a capital may belong to a different letter than it appears to. */
export function toSameCase(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
