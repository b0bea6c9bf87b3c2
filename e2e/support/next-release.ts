import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { MIGRATIONS } from "../../packages/store-postgres/src/migrations/index.ts";
import { PROGRAM } from "../../scripts/test/build-program.ts";

const CLI = "packages/cli";
const PAGE = "packages/web/dist";

/** The gateway as a later release of it would be, for tests of both beside each other. */
export interface NextRelease {
  readonly program: string;
  /** Of its database: one more than this release knows. */
  readonly schema: number;
  /** Stands in its page. */
  readonly page: string;
}

/** Writes it into the folder: a release of another name, with one more step of the schema, another protocol and another page. */
export async function writeNextRelease(folder: string): Promise<NextRelease> {
  const cli = join(folder, CLI);
  const page = "The page of the next release";
  const schema = MIGRATIONS.length + 1;
  await cp(dirname(PROGRAM), join(cli, "dist-tests"), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const manifest = JSON.parse(await readFile(join(CLI, "package.json"), "utf8")) as object;
  await writeFile(join(cli, "package.json"), JSON.stringify({ ...manifest, version: "999.0.0" }));
  await mkdir(join(folder, PAGE), { recursive: true });
  await writeFile(join(folder, PAGE, "index.html"), `<title>${page}</title>`);
  const step = `{ version: ${schema}, sql: "ALTER TABLE sessions ADD COLUMN of_next_release text" }`;
  const bundle = join(cli, "dist-tests");
  const nodes = "CREATE TABLE node_lease";
  await replaceOnce(
    bundle,
    nodes,
    /const MIGRATIONS = \[[^]*?\n\];/u,
    `$&\nMIGRATIONS.push(${step});`,
  );
  await replaceOnce(bundle, 'type: "welcome"', /(?<=protocolVersion: )\d+/u, "999");
  return { program: join(bundle, "program.mjs"), schema, page };
}

/** In the one file of the bundle that has the mark. */
async function replaceOnce(
  folder: string,
  mark: string,
  search: RegExp,
  replace: string,
): Promise<void> {
  let count = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const text = name.endsWith(".mjs") ? await readFile(path, "utf8") : "";
    if (!text.includes(mark) || !search.test(text)) continue;
    count += 1;
    await writeFile(path, text.replace(search, replace));
  }
  if (count !== 1) throw new Error(`${count} files of the bundle have ${search.source}.`);
}
