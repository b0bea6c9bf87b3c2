import { spawn } from "node:child_process";

import type { FileListing } from "@holdpoint/engine";

import type { FileLimits } from "./list-files.ts";

/** A repository may name programs that git runs when it only reads. */
const RUN_NOTHING = ["core.fsmonitor=false", "safe.bareRepository=explicit", "core.hooksPath="];
const ARGUMENTS = RUN_NOTHING.flatMap((setting) => ["-c", setting]).concat([
  "ls-files",
  "-z",
  "--cached",
  "--others",
  "--exclude-standard",
  "--deduplicate",
]);

/** What git lists in the directory; undefined where there is no git, or it does not know the directory. */
export async function listByGit(
  cwd: string,
  { count, timeMs }: FileLimits,
): Promise<FileListing | undefined> {
  const git = spawn("git", ARGUMENTS, {
    cwd,
    env: toEnvironment(),
    stdio: ["ignore", "pipe", "ignore"],
    timeout: timeMs,
    killSignal: "SIGKILL",
  });
  const paths: string[] = [];
  let rest = "";
  git.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = `${rest}${text}`.split("\0");
    rest = parts.pop() ?? "";
    paths.push(...parts.filter(isInside));
    if (paths.length > count) git.kill("SIGKILL");
  });
  const code = await new Promise<number | null>((resolve) => {
    git.once("error", () => resolve(-1));
    git.once("close", resolve);
  });
  // Without a code it was ended.
  if (code !== 0 && code !== null) return undefined;
  const isPartial = code === null || paths.length > count;
  return { paths: paths.slice(0, count), ...(isPartial && { isPartial }) };
}

function isInside(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.split("/").includes("..");
}

/** Of the gateway's own variables those that git needs; others could lead it to another repository. */
function toEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot } = process.env;
  return {
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    ...(PATH !== undefined && { PATH }),
    ...(HOME !== undefined && { HOME }),
    ...(SystemRoot !== undefined && { SystemRoot }),
  };
}
