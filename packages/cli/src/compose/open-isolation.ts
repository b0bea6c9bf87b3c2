import { access } from "node:fs/promises";

import { type Account, isolate, type Isolation, readProgram } from "@holdpoint/agents";

import { UsageError } from "../usage-error.ts";

const PROBE_LIMIT_MS = 10_000;

export interface IsolationOptions {
  /** The isolation that the person asked for: `namespace`, or `user:NAME`. */
  readonly wanted: string;
  /** The data folder, which must exist. */
  readonly dataDir: string;
  /** Folder of the person's own settings. */
  readonly configDir: string;
  /** Files with the gateway's secrets, whether or not they exist. */
  readonly secretFiles: readonly string[];
  /** The agents' default working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The requested isolation, after a test that a program in it cannot reach the data folder. Rejects with `UsageError` if
 * this machine does not support it, or if the test fails.
 */
export async function openIsolation(options: IsolationOptions): Promise<Isolation> {
  if (process.platform !== "linux") {
    throw new UsageError(`--isolate ${options.wanted} works on Linux only. ${OTHER_WAYS}`);
  }
  const isolation = await toIsolation(options);
  await probe(isolation, options);
  return isolation;
}

const OTHER_WAYS = "See guides/isolation.md for other ways.";

async function toIsolation({ wanted, ...where }: IsolationOptions): Promise<Isolation> {
  const [, name] = /^user:([A-Za-z_][\w.-]*\$?)$/u.exec(wanted) ?? [];
  if (name !== undefined) return { mode: "user", account: await findAccount(name) };
  if (wanted !== "namespace") {
    throw new UsageError(`--isolate ${wanted}: use namespace, or user:NAME.`);
  }
  const hidden = await findHidden(where);
  const [userId = 0, groupId = 0] = [process.getuid?.(), process.getgid?.()];
  return { mode: "namespace", hidden, userId, groupId };
}

/**
 * The paths to hide: the data folder, files with secrets, and paths that lead to a program outside, which are the
 * person's settings and the sockets of the login session. Files come before folders that may contain them.
 */
async function findHidden({
  dataDir,
  configDir,
  secretFiles,
  env,
}: Omit<IsolationOptions, "wanted">): Promise<string[]> {
  const folders = [configDir, env["XDG_RUNTIME_DIR"] ?? ""].filter((path) => path !== "");
  const candidates = [...secretFiles, ...folders];
  const there = await Promise.all(candidates.map(exists));
  return [...candidates.filter((_, at) => there[at]), dataDir];
}

async function findAccount(name: string): Promise<Account> {
  const { env } = process;
  const said = await readProgram("getent", ["passwd", name], { env }).catch((error: unknown) => {
    throw new UsageError(`--isolate user:${name}: there is no such account.`, { cause: error });
  });
  const [, , userId = "", groupId = "", , home = "/"] = said.trim().split(":");
  const account = { name, userId: Number(userId), groupId: Number(groupId), home };
  if (account.userId === 0 || account.userId === process.getuid?.()) {
    throw new UsageError(`--isolate user:${name}: that is not another account without rights.`);
  }
  if (process.getuid?.() !== 0) {
    throw new UsageError(
      `--isolate user:${name} needs a gateway that root has started. Use --isolate namespace. ${OTHER_WAYS}`,
    );
  }
  return account;
}

/**
 * A script that tries to read the data folder and secret files in every known way from within the isolation. Prints its
 * successes.
 */
const PROBE = `
data=$1; gateway=$2; work=$3; shift 3
echo started
for found in "$data"/* "$data"/.[!.]*; do [ -e "$found" ] && echo "reads the data folder"; done
umount "$data" 2>/dev/null && echo "takes its mounts away"
cat "$data/gateway.secret" >/dev/null 2>&1 && echo "reads the secret of the gateway"
cat "/proc/$gateway/environ" >/dev/null 2>&1 && echo "reads the environment of the gateway"
cat "/proc/$gateway/root$data/gateway.secret" >/dev/null 2>&1 && echo "reads through the gateway's process"
for file; do [ -n "$(head -c 1 "$file" 2>/dev/null)" ] && echo "reads $file"; done
(cd "$work") 2>/dev/null || echo "cannot work in $work"
echo ended
`;

async function probe(
  isolation: Isolation,
  { wanted, dataDir, cwd, secretFiles }: IsolationOptions,
): Promise<void> {
  const args = ["-c", PROBE, "sh", dataDir, String(process.pid), cwd, ...secretFiles];
  const env = { PATH: process.env["PATH"] ?? "" };
  const isolated = isolate({ command: "sh", args, env }, isolation);
  const options = { env, timeoutMs: PROBE_LIMIT_MS };
  const said = await readProgram(isolated.command, isolated.args, options).catch(
    (error: unknown) => {
      throw new UsageError(
        `--isolate ${wanted} does not work on this machine: ${firstLine(error)} ${OTHER_WAYS}`,
        { cause: error },
      );
    },
  );
  const lines = said.trim().split("\n");
  if (lines.length === 2 && lines[0] === "started" && lines[1] === "ended") return;
  const found = lines.filter((line) => line !== "started" && line !== "ended");
  throw new UsageError(
    `--isolate ${wanted} does not hold: a program in it ${[...new Set(found)].join(", ")}. ${OTHER_WAYS}`,
  );
}

function firstLine(error: unknown): string {
  const [line = ""] = (error as Error).message.split("\n");
  return line.endsWith(".") ? line : `${line}.`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
