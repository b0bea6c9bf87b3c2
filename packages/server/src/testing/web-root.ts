import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const FILES: Readonly<Record<string, string>> = {
  "index.html": `<!doctype html><title>Page</title>${"<!-- space -->".repeat(100)}`,
  "favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "theme.js": "document.documentElement.dataset.theme = 'dark';",
  "assets/app-12345678.js": `console.log("app");${"/* space */".repeat(200)}`,
  "assets/app-12345678.css": "body{margin:0}",
};

/** A folder with a small built web interface, removed when disposed. */
export async function withWebRoot(
  files = FILES,
): Promise<AsyncDisposable & { readonly root: string }> {
  const parent = await mkdtemp(join(tmpdir(), "holdpoint-web-"));
  const root = join(parent, "web");
  await mkdir(root);
  await writeFile(join(parent, "secret.txt"), "outside");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return { root, [Symbol.asyncDispose]: () => rm(parent, { recursive: true }) };
}
