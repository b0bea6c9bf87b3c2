import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { installInto } from "../publish/install-into.ts";

/** The last tested version. */
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const PROGRAM = "node_modules/@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js";
const LIMIT_MS = 120_000;

/** The outcome of an Inspector's call: its result, or a page to open. */
export interface InspectorSaid {
  readonly structuredContent?: { readonly answer?: string };
  readonly elicitationPending?: { readonly elicitationId: string; readonly url: string };
}

/** The Inspector's command-line program, with a separate background process and account. */
export interface Inspector extends AsyncDisposable {
  run(...args: readonly string[]): Promise<InspectorSaid>;
}

/** Installs it. Disposing ends it and removes all of it. */
export async function openInspector(): Promise<Inspector> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "inspector-")));
  await writeFile(join(home, "package.json"), `{"private":true}`);
  // Its install script is for a checkout of its sources.
  installInto(home, ["--ignore-scripts", INSPECTOR]);
  const account = join(home, "account");
  await mkdir(account);
  const env = { ...process.env, HOME: account, MCP_INSPECTOR_SECRET_STORE: "file" };
  const run = async (...args: readonly string[]): Promise<InspectorSaid> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(home, PROGRAM), "--format", "json", ...args],
      { env, timeout: LIMIT_MS },
    );
    return JSON.parse(stdout) as InspectorSaid;
  };
  return {
    run,
    async [Symbol.asyncDispose]() {
      await run("daemon", "stop").catch(() => undefined);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
