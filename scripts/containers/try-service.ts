import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { until } from "../../e2e/support/api.ts";
import { CONTROL_GROUP } from "./engine.ts";
import { ask, signInWith } from "./person.ts";
import { must, type Place, untilReady } from "./place.ts";

const URL = "http://127.0.0.1:4870";
const UNIT = "holdpoint.service";
const SECRET = "of-the-environment-file-0123456789abcdef";
const OTHERS = ["caddy.service", "postgresql.service"];
const START_MS = 60_000;
const STOP_MS = 15_000;

/** Conditions of the service, by the output of a failed one. */
const INSIDE = {
  "It does not run as its user": `test "$(stat -c %U /proc/$PID)" = holdpoint`,
  "It could get more rights": `grep -q '^NoNewPrivs:.1' /proc/$PID/status`,
  "Others can read its data": `test -z "$(find /var/lib/holdpoint -perm /077)"`,
  "It can change programs": `nsenter -t $PID -m sh -c '! touch /usr/local/bin/new 2>/dev/null'`,
  "A secret stands in its environment": `! grep -q ${SECRET} /proc/$PID/environ /proc/$PID/cmdline`,
};

/** Starts another process of the service, like an agent host, and prints its process id. */
const LIKE_A_HOST = `sleep 1000 >/dev/null 2>&1 & for each in /sys/fs/cgroup/system.slice /sys/fs/cgroup/*/system.slice; do
  if test -e $each/${UNIT}; then echo $! > $each/${UNIT}/cgroup.procs; fi; done; grep -q ${UNIT} /proc/$!/cgroup; echo $!`;

/** Boots a tree of Debian with the unit in it, and checks how systemd runs it. */
export async function tryService({ folder, print }: Place): Promise<void> {
  const tree = join(folder, "machine");
  furnish(tree, folder);
  await using machine = await Machine.boot(tree);
  await untilReady(URL);
  const journal = (): Promise<string> =>
    machine.run(`journalctl --no-pager --output=cat --identifier=holdpoint`);
  await using person = await signInWith(journal);
  const pending = await ask(person, URL);
  for (const [problem, command] of Object.entries(INSIDE)) {
    const pid = `PID=$(systemctl show --property=MainPID --value ${UNIT})`;
    await machine.run(`${pid}; ${command}`).catch(() => must(false, `${problem}.`));
  }
  print(
    "the unit starts, and the link in the journal signs in; its user, its rights and its data are right",
  );

  const host = await machine.run(LIKE_A_HOST);
  await machine.run(`systemctl kill --kill-who=main --signal=KILL ${UNIT}`);
  const restarts = async (): Promise<boolean> =>
    (await machine.run(`systemctl show --property=NRestarts --value ${UNIT}`)).trim() === "1";
  await until(restarts, "the next start", START_MS);
  await untilReady(URL);
  await pending.allow(person);
  await machine.run(`kill ${host}`).catch(() => must(false, "An agent host did not live on."));
  print("killed, it is started again with what was pending; agent hosts live on");

  const stoppingAtMs = performance.now();
  await machine.run(`systemctl stop ${UNIT}`);
  const tookMs = performance.now() - stoppingAtMs;
  const result = await machine.run(
    `systemctl show --property=Result,ExecMainStatus --value ${UNIT}`,
  );
  must(result.trim().split(/\s+/u).toSorted().join() === "0,success", `It ended so: ${result}`);
  must(tookMs < STOP_MS, `It took ${tookMs} ms to stop.`);
  must(!(await journal()).includes(SECRET), "A secret stands in the journal.");
  print("it stops in time, as systemd wants it");
}

/** Installs the unit as its comment and the guide describe. */
function furnish(tree: string, folder: string): void {
  mkdirSync(tree);
  execFileSync("tar", ["-C", tree, "-xf", join(folder, "debian-services.tar")]);
  copyFileSync(join(folder, "images/node"), join(tree, "usr/local/bin/node"));
  const modules = join(tree, "usr/local/lib/node_modules");
  cpSync(join(folder, "installed/node_modules"), modules, { recursive: true });
  const inside = (...command: string[]) =>
    execFileSync("chroot", [tree, ...command], { stdio: "ignore" });
  inside("ln", "-s", "../lib/node_modules/holdpoint/bin/holdpoint.js", "/usr/local/bin/holdpoint");
  inside("useradd", "--system", "--create-home", "holdpoint");
  copyFileSync(join("deploy", UNIT), join(tree, "etc/systemd/system", UNIT));
  mkdirSync(join(tree, "etc/holdpoint"));
  writeFileSync(join(tree, "etc/holdpoint/environment"), `HOLDPOINT_TOKEN=${SECRET}\n`, {
    mode: 0o600,
  });
  inside("systemctl", "enable", UNIT);
  inside("systemctl", "mask", ...OTHERS);
}

/** Its control groups are below one of ours, which is removed at the end. */
const BOOT = `for each in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  if test -e $each/cgroup.procs; then
    mkdir -p $each/${CONTROL_GROUP}/machine && echo $$ > $each/${CONTROL_GROUP}/machine/cgroup.procs
  fi
done
exec "$0" "$@"`;

function commandOf(pid: string): string | undefined {
  const path = `/proc/${pid}/comm`;
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}

/** A tree with a separate systemd, and the network of this namespace. */
class Machine implements AsyncDisposable {
  readonly #nspawn: ChildProcess;
  readonly #leader: string;

  static async boot(tree: string): Promise<Machine> {
    const flags = ["--quiet", "--boot", "--register=no", "--keep-unit", "--console=pipe"];
    const boot = ["-c", BOOT, "systemd-nspawn", ...flags, `--directory=${tree}`];
    const nspawn = spawn("sh", boot, { stdio: "ignore" });
    const leader = await until(async () => {
      if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended: ${nspawn.exitCode}.`);
      const children = readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, "utf8");
      return children.split(" ").find((pid) => pid !== "" && commandOf(pid) === "systemd");
    }, "systemd");
    return new Machine(nspawn, leader);
  }

  private constructor(nspawn: ChildProcess, leader: string) {
    this.#nspawn = nspawn;
    this.#leader = leader;
  }

  /** Runs a shell command in it as root, and returns its output. */
  async run(command: string): Promise<string> {
    const enter = ["--target", this.#leader, "--all", "sh", "-ec", command];
    const { stdout } = await promisify(execFile)("nsenter", enter, { timeout: START_MS });
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#nspawn, "exit");
    process.kill(Number(this.#leader), "SIGKILL");
    await ended;
  }
}
