import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Api } from "./api.ts";
import { commandOf, TOKEN } from "./gateway-process.ts";

interface Ready {
  readonly url: string;
  readonly launchUrl: string;
  readonly pid: number;
}

export interface SmallDiskGateway extends AsyncDisposable {
  readonly url: string;
  readonly api: Api;
  /** The launch link it printed; it works once. */
  nextLink(): Promise<string>;
  /** Takes up all of the free space. */
  fill(): void;
  makeRoom(): void;
}

/** The real gateway on a separate small disk. */
export async function startOnSmallDisk(): Promise<SmallDiskGateway> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-full-"));
  const dataDir = join(folder, "data");
  for (const path of [dataDir, join(folder, "work")]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(folder, "token"), TOKEN, { mode: 0o600 });
  const gateway = commandOf(["--json", "--port", "0", "--data-dir", dataDir]);
  const script = `mount -t tmpfs -o size=8m,mode=700 none "$1" && shift && exec "$@"`;
  const child = spawn(
    "unshare",
    ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", dataDir, ...gateway],
    {
      cwd: join(folder, "work"),
      env: {
        ...process.env,
        XDG_CONFIG_HOME: join(folder, "none"),
        XDG_CACHE_HOME: join(folder, "cache"),
        HOLDPOINT_TOKEN_FILE: join(folder, "token"),
      },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  const { url, launchUrl, pid } = JSON.parse(String(value)) as Ready;
  const filler = join(`/proc/${pid}/root`, dataDir, "filler");
  return {
    url,
    api: new Api(url),
    nextLink: async () => launchUrl,
    fill() {
      for (const bytes of [1 << 16, 1 << 12, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch {
          // The disk is full.
        }
      }
    },
    makeRoom: () => rmSync(filler),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
