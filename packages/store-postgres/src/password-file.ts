import { readFileSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";

const OPEN_TO_OTHERS = 0o077;
const DEFAULT_PORT = "5432";

export type PasswordEnvironment = Readonly<Record<string, string | undefined>>;

/** The file in which Postgres' own programs look up passwords. */
export function passwordFile({ PGPASSFILE: named }: PasswordEnvironment = process.env): string {
  return named || join(homedir(), ".pgpass");
}

/** Returns the address with its password from the password file, unless it already has one. */
export function withPassword(url: string, env: PasswordEnvironment = process.env): string {
  const address = new URL(url);
  const { password, searchParams } = address;
  if (password !== "" || searchParams.has("password") || env["PGPASSWORD"]) return url;
  const wanted = toFields(address, env);
  const found = readLines(passwordFile(env)).find((fields) =>
    wanted.every((field, index) => fields[index] === "*" || fields[index] === field),
  )?.[wanted.length];
  if (found === undefined) return url;
  // The userinfo of a URL without a host (for a socket) cannot contain a password.
  searchParams.set("password", found);
  return address.href;
}

/** Returns host, port, database and user in the form used by the file. */
function toFields(address: URL, env: PasswordEnvironment): readonly string[] {
  const { hostname, port, pathname, username, searchParams } = address;
  const host = decodeURIComponent(hostname) || searchParams.get("host") || "";
  const named = decodeURIComponent(username) || searchParams.get("user") || env["PGUSER"];
  const user = named || userInfo().username;
  const database = decodeURIComponent(pathname.slice(1)) || user;
  const isSocket = host === "" || host.startsWith("/");
  return [isSocket ? "localhost" : host, port || DEFAULT_PORT, database, user];
}

/** Reads the file. It is ignored if others can read it, as Postgres' own programs do. */
function readLines(path: string): readonly (readonly string[])[] {
  try {
    const entry = statSync(path);
    const isOpen = process.platform !== "win32" && (entry.mode & OPEN_TO_OTHERS) !== 0;
    if (!entry.isFile() || isOpen) return [];
    const lines = readFileSync(path, "utf8").split(/\r?\n/u);
    return lines.filter((line) => !line.startsWith("#")).map(splitLine);
  } catch {
    return [];
  }
}

/** Splits at colons that are not escaped with a backslash. */
function splitLine(line: string): readonly string[] {
  const fields = line.match(/(?:\\.?|[^:\\])*(?::|$)/gu) ?? [];
  return fields.map((field) => field.replace(/:$/u, "").replaceAll(/\\(.)/gu, "$1"));
}
