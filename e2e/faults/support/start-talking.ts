import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Api } from "../../support/api.ts";
import { TOKEN } from "../../support/gateway-process.ts";

/** A gateway in a process of its own, whose agent does what its messages say: see `talking-program.ts`. */
export interface TalkingGateway extends AsyncDisposable {
  readonly url: string;
  readonly api: Api;
  residentMiB(): number;
  /** Open files and sockets. */
  descriptors(): number;
}

export async function startTalking(): Promise<TalkingGateway> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-talking-"));
  const program = join(import.meta.dirname, "talking-program.ts");
  const child = spawn(process.execPath, [program, join(folder, "data"), TOKEN], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    api: new Api(url),
    residentMiB() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    },
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
