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
 * Node lets the part of its heap where objects begin grow with the garbage of a moment, to 128 MiB, and gives nothing of it
 * back. Bounded, so that what is resident tells of what is kept.
 */
const BOUNDED_HEAP = ["--expose-gc", "--max-semi-space-size=2"];

export interface ProcessMemory {
  /** All pages, also those that are kept for later. */
  readonly residentMiB: number;
  /** Objects and buffers that are in use. */
  readonly heldMiB: number;
}

/** A gateway in a process of its own, whose agent does what its messages say: see `talking-program.ts`. */
export interface TalkingGateway extends AsyncDisposable {
  readonly url: string;
  readonly api: Api;
  /** What its process has, once it has collected its garbage. */
  memory(): Promise<ProcessMemory>;
  /** Open files and sockets. */
  descriptors(): number;
}

/** `nodeArgs`: how Node runs it; by default so that its memory can be measured. */
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
