import { readFileSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";

const OPEN_TO_OTHERS = 0o077;
const DEFAULT_PORT = "5432";

export type PasswordEnvironment = Readonly<Record<string, string | undefined>>;

/** Where Postgres' own programs look for passwords. */
export function passwordFile({ PGPASSFILE: named }: PasswordEnvironment = process.env): string {
  return named || join(homedir(), ".pgpass");
}

/** The address with the password that the file of passwords has for it, where it has none itself. */
export function withPassword(url: string, env: PasswordEnvironment = process.env): string {
  const address = new URL(url);
  const { password, searchParams } = address;
  if (password !== "" || searchParams.has("password") || env["PGPASSWORD"]) return url;
  const wanted = toFields(address, env);
  const found = readLines(passwordFile(env)).find((fields) =>
    wanted.every((field, index) => fields[index] === "*" || fields[index] === field),
  )?.[wanted.length];
  if (found === undefined) return url;
  // A URL whose host is a socket has no place for a password of its own.
  searchParams.set("password", found);
  return address.href;
}

/** Host, port, database and user, as a line of the file names them. */
function toFields(address: URL, env: PasswordEnvironment): readonly string[] {
  const { hostname, port, pathname, username, searchParams } = address;
  const host = decodeURIComponent(hostname) || searchParams.get("host") || "";
  const named = decodeURIComponent(username) || searchParams.get("user") || env["PGUSER"];
  const user = named || userInfo().username;
  const database = decodeURIComponent(pathname.slice(1)) || user;
  const isSocket = host === "" || host.startsWith("/");
  return [isSocket ? "localhost" : host, port || DEFAULT_PORT, database, user];
}

/** Nothing of a file that others can read, as Postgres' own programs have it. */
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

/** At colons that have no backslash before them. */
function splitLine(line: string): readonly string[] {
  const fields = line.match(/(?:\\.|[^:\\])*(?::|$)/gu) ?? [];
  return fields.map((field) => field.replace(/:$/u, "").replaceAll(/\\(.)/gu, "$1"));
}
