import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { UsageError } from "./usage-error.ts";
import type { Environment } from "./variables.ts";

const TOKEN = "HOLDPOINT_TOKEN";
const TOKEN_FILE = "HOLDPOINT_TOKEN_FILE";
/** Names a file that is read once: how a token gets over a restart of the program within the same process. */
const HANDED_OVER = "HOLDPOINT_TOKEN_ONCE";

/**
 * The environment with the token in it that a person gave, wherever that is. Other processes of the same user, such as an
 * agent, can read the environment that a process was started with. So when the token is in there, the program starts
 * again without it, in the same process with the same terminal, and this does not return. Throws `UsageError` for a file
 * that does not keep the token to its owner.
 */
export function takeToken(environment: Environment): Environment {
  const { [TOKEN]: token, [TOKEN_FILE]: file, [HANDED_OVER]: handedOver, ...others } = environment;
  if (handedOver !== undefined) return { ...others, [TOKEN]: readOnce(handedOver) };
  if (file !== undefined && file !== "") {
    if (token === undefined || token === "") return { ...others, [TOKEN]: readTokenFile(file) };
    throw new UsageError(`${TOKEN} and ${TOKEN_FILE} are both set. Use one of them.`);
  }
  // Windows has no such restart. There only the same user can read an environment, as everywhere.
  if (token === undefined || token === "" || process.platform === "win32") return environment;
  return startAgain(token, others);
}

function startAgain(token: string, others: Environment): never {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-"));
  const path = join(folder, "token");
  writeFileSync(path, token, { mode: 0o600, flag: "wx" });
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  try {
    process.execve?.(process.execPath, args, { ...others, [HANDED_OVER]: path });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw new UsageError(
      `${TOKEN} cannot be hidden from other processes here. Put it into a file that only you can read, and name that ` +
        `with ${TOKEN_FILE}.`,
      { cause: error },
    );
  }
  throw new Error("The program was not started again.");
}

function readOnce(path: string): string {
  const token = readFileSync(path, "utf8");
  rmSync(dirname(path), { recursive: true });
  return token;
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
