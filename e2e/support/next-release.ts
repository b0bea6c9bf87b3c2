import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { MIGRATIONS } from "../../packages/store-postgres/src/migrations/index.ts";
import { PROGRAM } from "./program.ts";

const CLI = "packages/cli";
const PAGE = "packages/web/dist";

/** The gateway as the next release might be. */
export interface NextRelease {
  readonly program: string;
  /** The version of its database schema. */
  readonly schema: number;
  /** The whole text of its page. */
  readonly page: string;
}

/** Writes the release into a folder, with another version, one more schema step, another protocol and another page. */
export async function writeNextRelease(folder: string): Promise<NextRelease> {
  const page = "The next page";
  const schema = MIGRATIONS.length + 1;
  const bundle = join(folder, CLI, "dist-tests");
  await cp(dirname(PROGRAM), bundle, { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await mkdir(join(folder, PAGE), { recursive: true });
  await writeFile(join(folder, PAGE, "index.html"), page);
  const manifest = JSON.parse(await readFile(join(CLI, "package.json"), "utf8")) as object;
  await writeFile(
    join(folder, CLI, "package.json"),
    JSON.stringify({ ...manifest, version: "999.0.0" }),
  );
  const nodes = "CREATE TABLE node_lease";
  const step = `{ version: ${schema}, sql: "ALTER TABLE sessions ADD COLUMN of_next text" }`;
  const added = `$&\nMIGRATIONS.push(${step});`;
  await replaceOnce(bundle, nodes, /const MIGRATIONS = \[[^]*?\];/u, added);
  await replaceOnce(bundle, 'type: "welcome"', /(?<=protocolVersion: )\d+/u, "999");
  return { program: join(bundle, "program.mjs"), schema, page };
}

/** Replaces the mark in the one file of the bundle that contains it. */
async function replaceOnce(
  bundle: string,
  mark: string,
  search: RegExp,
  replace: string,
): Promise<void> {
  let count = 0;
  for (const name of await readdir(bundle)) {
    const path = join(bundle, name);
    const text = name.endsWith(".mjs") ? await readFile(path, "utf8") : "";
    if (!text.includes(mark) || !search.test(text)) continue;
    count += 1;
    await writeFile(path, text.replace(search, replace));
  }
  if (count !== 1) throw new Error(`${count} files of the bundle have ${search.source}.`);
}
