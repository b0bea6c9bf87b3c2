import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { PROGRAM } from "../../support/program.ts";

const PAGE = "packages/web/dist";
/** Marks the page's document in the next build. */
export const NEXT_BUILD = "holdpoint-next-build";

const WORKER = `
self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === "/next-build") event.respondWith(new Response("next"));
});
`;

/**
 * Writes the gateway into the folder with a page of another build, whose files have other names. Returns the program.
 */
export async function writeNextBuild(folder: string): Promise<string> {
  const cli = join(folder, "packages/cli");
  const page = join(folder, PAGE);
  await mkdir(cli, { recursive: true });
  await cp(dirname(PROGRAM), join(cli, "dist-tests"), { recursive: true });
  await cp(resolve("packages/cli/package.json"), join(cli, "package.json"));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await cp(resolve(PAGE), page, {
    recursive: true,
    filter: (path) => !/[.](?:br|gz)$/u.test(path),
  });
  const assets = await readdir(join(page, "assets"));
  const names = assets.filter((name) => /[.](?:js|css)$/u.test(name));
  const toNext = (name: string): string => name.replace(/(?=[.]\w+$)/u, "next");
  const files = ["index.html", ...names.map((name) => `assets/${name}`)];
  for (const file of files) {
    const text = await readFile(join(page, file), "utf8");
    const next = names.reduce((said, name) => said.replaceAll(name, toNext(name)), text);
    await writeFile(join(page, file), next.replace("<head>", `<head><meta name="${NEXT_BUILD}">`));
  }
  for (const name of names) {
    await rename(join(page, "assets", name), join(page, "assets", toNext(name)));
  }
  await appendFile(join(page, "service-worker.js"), WORKER);
  return join(cli, "dist-tests/program.mjs");
}
