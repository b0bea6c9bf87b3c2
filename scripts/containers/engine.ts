import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

import { until } from "../../e2e/support/api.ts";

/** The address of the machine for containers on the usual network. */
export const MACHINE = "172.29.0.1";
/** The parent of all control groups of the containers. */
export const CONTROL_GROUP = "holdpoint-try-containers";
const START_MS = 60_000;
const COMMAND_MS = 5 * 60_000;
const MOST_BYTES = 64 * 1024 ** 2;

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A separate Docker with its files in a folder. Its containers end with it. */
export class Engine implements AsyncDisposable {
  readonly env: NodeJS.ProcessEnv;
  readonly #daemon: ChildProcess;

  static async start(folder: string): Promise<Engine> {
    mkdirSync(folder, { recursive: true });
    const host = `unix://${join(folder, "docker.sock")}`;
    const args = {
      "data-root": join(folder, "data"),
      "exec-root": join(folder, "run"),
      pidfile: join(folder, "pid"),
      host,
      bip: `${MACHINE}/24`,
      "cgroup-parent": `/${CONTROL_GROUP}`,
    };
    const flags = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
    const daemon = spawn("dockerd", flags, { stdio: ["ignore", "ignore", "pipe"] });
    daemon.stderr?.pipe(createWriteStream(join(folder, "log")));
    const engine = new Engine(daemon, { host, config: folder });
    const isUp = async (): Promise<boolean> => {
      if (daemon.exitCode !== null) throw new Error(`dockerd ended; see ${folder}/log.`);
      return (await engine.try("version")).code === 0;
    };
    await until(isUp, "Docker", START_MS);
    return engine;
  }

  private constructor(daemon: ChildProcess, { host, config }: { host: string; config: string }) {
    this.#daemon = daemon;
    this.env = { ...process.env, DOCKER_HOST: host, DOCKER_CONFIG: config };
  }

  /** Runs `docker …`, and returns its output. Throws when it fails. */
  async run(...args: readonly string[]): Promise<string> {
    const said = await this.try(...args);
    if (said.code === 0) return said.stdout.trim();
    throw new Error(`docker ${args.join(" ")}: ${said.stderr.trim() || said.stdout.trim()}`);
  }

  /** Runs `docker …`, and does not throw when it fails. */
  async try(...args: readonly string[]): Promise<Said> {
    const options = { env: this.env, timeout: COMMAND_MS, maxBuffer: MOST_BYTES };
    try {
      return { code: 0, ...(await promisify(execFile)("docker", args, options)) };
    } catch (error: unknown) {
      const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
      if (typeof code !== "number") throw error;
      return { code, stdout, stderr };
    }
  }

  /** Creates an image from the files in an archive. */
  async load(archive: string, image: string): Promise<void> {
    const docker = spawn("docker", ["import", "-", image], {
      env: this.env,
      stdio: ["pipe", "ignore", "inherit"],
    });
    const ended = once(docker, "exit");
    await pipeline(createReadStream(archive), docker.stdin);
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`${image} could not be made.`);
  }

  /** Everything that a container has printed on both of its streams. */
  async logs(container: string): Promise<string> {
    const { stdout, stderr } = await this.try("logs", container);
    return stdout + stderr;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ids = await this.run("ps", "--all", "--quiet");
    if (ids !== "") await this.run("rm", "--force", "--volumes", ...ids.split("\n"));
    const ended = once(this.#daemon, "exit");
    this.#daemon.kill("SIGTERM");
    await ended;
  }
}
