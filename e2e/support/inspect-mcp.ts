import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** The Inspector's command line alone: the whole Inspector would bring a page and native modules. */
const CLI = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli");
const LIMIT_MS = 60_000;

/** Runs the Inspector's own program, as its manual describes; resolves with its output. */
export async function inspect(
  { url, token }: { readonly url: string; readonly token: string },
  ...args: readonly string[]
): Promise<unknown> {
  const connection = [url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
  const { stdout } = await run(process.execPath, [CLI, "--cli", ...connection, ...args], {
    // It reads its name and version from there.
    cwd: dirname(CLI),
    timeout: LIMIT_MS,
  });
  return JSON.parse(stdout);
}

/** Calls `ask_user` with the Inspector. */
export function inspectAsk(
  issued: { readonly url: string; readonly token: string },
  ...args: readonly string[]
): Promise<unknown> {
  return inspect(
    issued,
    "--method",
    "tools/call",
    "--tool-name",
    "ask_user",
    "--tool-arg",
    ...args,
  );
}
