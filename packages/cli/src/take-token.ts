import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { Environment } from "./environment.ts";
import { readPrivateText } from "./private-text.ts";
import { UsageError } from "./usage-error.ts";

const TOKEN = "HOLDPOINT_TOKEN";
const TOKEN_FILE = "HOLDPOINT_TOKEN_FILE";
const STORE = "HOLDPOINT_STORE";
const CLUSTER_SECRET = "HOLDPOINT_CLUSTER_SECRET";
/** Names a file that is read once. It carries secrets across a restart of the program within the same process. */
const HANDED_OVER = "HOLDPOINT_TOKEN_ONCE";

/**
 * The environment with the person's token, from a variable or a file, and with the store's address. Other processes of
 * the same user, such as an agent, can read a process's initial environment and command line. So if these contain the
 * token, the cluster secret or a store address with a password, the program restarts itself without them, in the same
 * process and terminal, and this function does not return. Throws `UsageError` for a token file that others can read.
 */
export function takeToken(environment: Environment, storeFlag?: string): Environment {
  const { [HANDED_OVER]: handedOver, ...given } = environment;
  if (handedOver !== undefined) return withTokenFile({ ...given, ...readOnce(handedOver) });
  if (isSet(given[TOKEN]) && isSet(given[TOKEN_FILE])) {
    throw new UsageError(`${TOKEN} and ${TOKEN_FILE} are both set. Use one of them.`);
  }
  const secrets = secretsOf(given, storeFlag ?? given[STORE]);
  const names = Object.keys(secrets);
  // Windows does not support such a restart. As elsewhere, only the same user can read an environment there.
  if (names.length > 0 && process.platform !== "win32") {
    const others = Object.entries(given).filter(([name]) => !names.includes(name));
    startAgain(secrets, Object.fromEntries(others));
  }
  return withTokenFile(given);
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

/** Secrets that other processes must not read. A store address counts only if it has a password. */
function secretsOf(given: Environment, store: string | undefined): Secrets {
  const { [TOKEN]: token, [CLUSTER_SECRET]: clusterSecret } = given;
  return {
    ...(isSet(token) && { [TOKEN]: token }),
    ...(isSet(clusterSecret) && { [CLUSTER_SECRET]: clusterSecret }),
    ...(isSet(store) && hasPassword(store) && { [STORE]: store }),
  };
}

function withTokenFile(environment: Environment): Environment {
  const { [TOKEN_FILE]: file, ...others } = environment;
  return isSet(file) ? { ...others, [TOKEN]: readTokenFile(file) } : environment;
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
  if (path !== "-") return readPrivateText(path, TOKEN_FILE);
  const token = readFileSync(0, "utf8").trimEnd();
  if (token !== "") return token;
  throw new UsageError(`${TOKEN_FILE}: ${path} is empty.`);
}
