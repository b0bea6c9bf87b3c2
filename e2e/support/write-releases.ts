import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { MIGRATIONS } from "../../packages/store-postgres/src/migrations/index.ts";
import { PROGRAM } from "../../scripts/test/build-program.ts";

const CLI = "packages/cli";
const PAGE = "packages/web/dist";

/** A gateway as it is installed, with a page that nothing but its name stands in. */
export interface Release {
  readonly program: string;
  /** Of its database. */
  readonly schema: number;
  readonly page: string;
}

/**
 * Writes two releases into the folder: this one, and the next one as it may be, with another version, one more step of the schema
 * and another protocol.
 */
export async function writeReleases(folder: string): Promise<{ now: Release; next: Release }> {
  const schema = MIGRATIONS.length;
  const [now, next] = await Promise.all(["now", "next"].map((name) => write(folder, name)));
  if (!now || !next) throw new Error("There are two.");
  const bundle = dirname(next);
  const step = `{ version: ${schema + 1}, sql: "ALTER TABLE sessions ADD COLUMN of_next text" }`;
  const nodes = "CREATE TABLE node_lease";
  await replaceOnce(
    bundle,
    nodes,
    /const MIGRATIONS = \[[^]*?\n\];/u,
    `$&\nMIGRATIONS.push(${step});`,
  );
  await replaceOnce(bundle, 'type: "welcome"', /(?<=protocolVersion: )\d+/u, "999");
  const manifest = join(folder, "releases/next", CLI, "package.json");
  const said = JSON.parse(await readFile(manifest, "utf8")) as object;
  await writeFile(manifest, JSON.stringify({ ...said, version: "999.0.0" }));
  return {
    now: { program: now, schema, page: "now" },
    next: { program: next, schema: schema + 1, page: "next" },
  };
}

async function write(folder: string, name: string): Promise<string> {
  const root = join(folder, "releases", name);
  const bundle = join(root, CLI, "dist-tests");
  await cp(dirname(PROGRAM), bundle, { recursive: true });
  await cp(resolve(CLI, "package.json"), join(root, CLI, "package.json"));
  await symlink(resolve("node_modules"), join(root, "node_modules"));
  await mkdir(join(root, PAGE), { recursive: true });
  await writeFile(join(root, PAGE, "index.html"), name);
  return join(bundle, "program.mjs");
}

/** In the one file of the bundle that has the mark. */
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
