import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { UsageError } from "./usage-error.ts";
import type { Environment } from "./variables.ts";

const TOKEN = "HOLDPOINT_TOKEN";
const TOKEN_FILE = "HOLDPOINT_TOKEN_FILE";
/** Names a file that is read once: how secrets get over a restart of the program within the same process. */
const STORE = "HOLDPOINT_STORE";
const HANDED_OVER = "HOLDPOINT_TOKEN_ONCE";

/**
 * The environment with the token in it that a person gave, wherever that is, and with the address of the store. Other processes
 * of the same user, such as an agent, can read the environment and the command line that a process was started with. So when
 * the token or the address with its password is in there, the program starts again without them, in the same process with the
 * same terminal, and this does not return. Throws `UsageError` for a file that does not keep the token to its owner.
 */
export function takeToken(environment: Environment, storeFlag?: string): Environment {
  const { [TOKEN]: token, [TOKEN_FILE]: file, [HANDED_OVER]: handedOver, ...rest } = environment;
  if (handedOver !== undefined) return { ...rest, ...readOnce(handedOver) };
  if (file !== undefined && file !== "" && token !== undefined && token !== "") {
    throw new UsageError(`${TOKEN} and ${TOKEN_FILE} are both set. Use one of them.`);
  }
  const store = storeFlag ?? rest[STORE];
  const secrets = {
    ...(token !== undefined && token !== "" && { [TOKEN]: token }),
    ...(store !== undefined && hasPassword(store) && { [STORE]: store }),
  };
  // Windows has no such restart. There only the same user can read an environment, as everywhere.
  if (Object.keys(secrets).length > 0 && process.platform !== "win32") {
    const { [STORE]: _, ...others } = rest;
    const fromFile = file !== undefined && file !== "" && { [TOKEN_FILE]: file };
    startAgain(secrets, { ...(STORE in secrets ? others : rest), ...fromFile });
  }
  if (file === undefined || file === "") return environment;
  return { ...rest, [TOKEN]: readTokenFile(file) };
}

function hasPassword(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.password !== "" || url.searchParams.has("password"));
}

type Secrets = Readonly<Record<string, string>>;

function startAgain(secrets: Secrets, others: Environment): never {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-"));
  const path = join(folder, "secrets");
  writeFileSync(path, JSON.stringify(secrets), { mode: 0o600, flag: "wx" });
  const own = STORE in secrets ? withoutStore(process.argv.slice(1)) : process.argv.slice(1);
  const args = [process.execPath, ...process.execArgv, ...own];
  try {
    process.execve?.(process.execPath, args, { ...others, [HANDED_OVER]: path });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw new UsageError(
      `${Object.keys(secrets).join(" and ")} cannot be hidden from other processes here. Put a token into a file that only you ` +
        `can read, and name that with ${TOKEN_FILE}; put a store into your own config file.`,
      { cause: error },
    );
  }
  throw new Error("The program was not started again.");
}

/** The arguments without `--store ADDRESS`. */
function withoutStore(args: readonly string[]): string[] {
  return args.filter(
    (arg, index) =>
      arg !== "--store" && !arg.startsWith("--store=") && args[index - 1] !== "--store",
  );
}

function readOnce(path: string): Secrets {
  const secrets = JSON.parse(readFileSync(path, "utf8")) as Secrets;
  rmSync(dirname(path), { recursive: true });
  return secrets;
}

/** Reads a token from a file, from a descriptor such as `/dev/fd/3`, or with `-` from the standard input. */
function readTokenFile(path: string): string {
  const token = readText(path).trimEnd();
  if (token !== "") return token;
  throw new UsageError(`${TOKEN_FILE}: ${path} is empty.`);
}

function readText(path: string): string {
  if (path === "-") return readFileSync(0, "utf8");
  try {
    refuseReadable(path);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${TOKEN_FILE}: ${path} cannot be read.`, { cause: error });
  }
}

function refuseReadable(path: string): void {
  const entry = statSync(path);
  if (!entry.isFile() || process.platform === "win32") return;
  const isOwn = entry.uid === process.getuid?.() || entry.uid === 0;
  if (isOwn && (entry.mode & 0o077) === 0) return;
  throw new UsageError(
    `${TOKEN_FILE}: ${path} can be read or changed by other users. Make it yours alone: chmod 600.`,
  );
}
