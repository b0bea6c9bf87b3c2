import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Hooks of commands that change something, by their names in git 2.51. Any other hook may run when git only reads. */
const WRITING: ReadonlySet<string> = new Set(
  [
    "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg",
    "post-commit pre-rebase post-checkout post-merge pre-push post-rewrite sendemail-validate",
    "pre-receive update post-receive post-update proc-receive push-to-checkout",
    "p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit",
  ].flatMap((line) => line.split(" ")),
);
/** A hook's possible name: examples end with `.sample` and do not match. */
const NAME = /^(?:update|[a-z0-9]+(?:-[a-z0-9]+)+)(?:\.exe)?$/u;
/** Husky's script for every hook name, including `pre-auto-gc`, which the agent's git settings turn off. */
const HUSKY = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"';
const HUSKY_NAME = "pre-auto-gc";

/** The first hook in the folder that git may run for this use, in a few words. */
export async function findHook(
  folder: string,
  use: "reads" | "writes",
): Promise<string | undefined> {
  const names = await readdir(folder).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : undefined;
  });
  if (names === undefined) return "its hooks, which cannot be read";
  for (const name of names.map((each) => each.toLowerCase())) {
    if (!NAME.test(name) || (use === "reads" && WRITING.has(name.replace(/\.exe$/u, "")))) continue;
    if (name === HUSKY_NAME && (await isHusky(join(folder, name)))) continue;
    return `its hook ${name}`;
  }
  return undefined;
}

async function isHusky(path: string): Promise<boolean> {
  return readFile(path, "utf8").then(
    (text) => text.trimEnd() === HUSKY,
    () => false,
  );
}
