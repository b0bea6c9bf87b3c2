import { StoreError } from "@holdpoint/engine";

const SCHEMES = new Set(["postgres:", "postgresql:"]);

/** Returns a database's address for display, without its password and options. */
export function showAddress(url: string): string {
  const { protocol, username, host, pathname, searchParams } = parseAddress(url);
  const socket = searchParams.get("host");
  const user = username === "" ? "" : `${username}@`;
  return `${protocol}//${user}${host === "" && socket !== null ? socket : host}${pathname}`;
}

/** Parses the address of a Postgres database. Throws `StoreError` for other text, which the error does not repeat. */
export function parseAddress(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed && SCHEMES.has(parsed.protocol)) return parsed;
  throw new StoreError(
    "STORE_FAILED",
    "The store is no address of a Postgres database. Write it as postgres://user:password@host:5432/database.",
  );
}

export function isPostgresAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//u.test(text);
}
