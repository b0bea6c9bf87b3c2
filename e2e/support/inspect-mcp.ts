import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** The Inspector's command line alone: the whole of it would bring a page and native modules. */
const CLI = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli");
const LIMIT_MS = 60_000;

/** The Inspector's own program, as its manual has people start it; resolves with what it printed. */
export async function inspect(
  { url, token }: { readonly url: string; readonly token: string },
  ...args: readonly string[]
): Promise<unknown> {
  const connection = [url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
  const { stdout } = await run(process.execPath, [CLI, "--cli", ...connection, ...args], {
    // It looks for its own name and version from there.
    cwd: dirname(CLI),
    timeout: LIMIT_MS,
  });
  return JSON.parse(stdout);
}

/** Calls `ask_user` with it. */
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
