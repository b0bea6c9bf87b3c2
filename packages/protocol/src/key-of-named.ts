import type { Named } from "./responders.ts";

/**
 * How a policy or a session names a person or a group, as one text. What one issuer says of a person says nothing of a name
 * that another one gives. Empty for what is of no issuer, which is nobody's.
 */
export function keyOfNamed(named: Named): string {
  const { issuer } = named;
  if (issuer === undefined) return "";
  return "group" in named
    ? toKey("group", issuer, named.group)
    : toKey("person", issuer, named.person);
}

/** Of visible ASCII, so that every store compares it byte by byte. */
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

/** Only the letters of ASCII: other scripts have capitals that are another letter than they look. */
export function toSameCase(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
