import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Api } from "../../support/api.ts";
import { TOKEN } from "../../support/gateway-process.ts";

/**
 * Node lets the young generation of its heap grow to 128 MiB with short-lived garbage, and never shrinks it. It is
 * bounded here, so that resident memory shows retained memory.
 */
const BOUNDED_HEAP = ["--expose-gc", "--max-semi-space-size=2"];

export interface ProcessMemory {
  /** All pages, including those reserved for later. */
  readonly residentMiB: number;
  /** Objects and buffers that are in use. */
  readonly heldMiB: number;
}

/** A gateway in a separate process, whose agent follows its messages: see `talking-program.ts`. */
export interface TalkingGateway extends AsyncDisposable {
  readonly url: string;
  readonly api: Api;
  /** The memory of its process after a garbage collection. */
  memory(): Promise<ProcessMemory>;
  /** Open files and sockets. */
  descriptors(): number;
}

/** `nodeArgs`: options for Node; the defaults make its memory measurable. */
export async function startTalking({
  nodeArgs = BOUNDED_HEAP,
}: { readonly nodeArgs?: readonly string[] } = {}): Promise<TalkingGateway> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-talking-"));
  const program = join(import.meta.dirname, "talking-program.ts");
  const args = [...nodeArgs, program, join(folder, "data"), TOKEN];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: url } = (await lines.next()) as { value: string };
  return {
    url,
    api: new Api(url),
    async memory() {
      child.stdin.write("collect\n");
      const { value } = await lines.next();
      const { rss, held } = JSON.parse(String(value)) as { rss: number; held: number };
      return { residentMiB: rss / 1024 ** 2, heldMiB: held / 1024 ** 2 };
    },
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
