// Builds the web interface and prints what a browser loads first, compressed. Exits with 1 over budget.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

interface ManifestEntry {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const web = fileURLToPath(new URL("../packages/web", import.meta.url));

/** In kB (1000 bytes) of gzip. A page is the entry, the chunks of its route, and what they import statically. */
const PAGES = [
  { name: "session page", routes: ["index.html", "src/shell/shell.tsx"], budget: 150 },
  { name: "single-card page", routes: ["index.html"], budget: 125 },
] as const;

const { status } = spawnSync("vite", ["build", web, "--logLevel", "warn"], { stdio: "inherit" });
if (status !== 0) process.exit(1);

const manifest = JSON.parse(readFileSync(`${web}/dist/.vite/manifest.json`, "utf8")) as Record<
  string,
  ManifestEntry
>;

function filesOf(key: string, files: Set<string>): void {
  const entry = manifest[key];
  if (entry === undefined) throw new Error(`The build has no ${key}.`);
  if (files.has(entry.file)) return;
  files.add(entry.file);
  for (const style of entry.css ?? []) files.add(style);
  for (const imported of entry.imports ?? []) filesOf(imported, files);
}

const gzipped = (file: string): number =>
  gzipSync(readFileSync(`${web}/dist/${file}`)).length / 1000;

let isOver = false;
for (const { name, routes, budget } of PAGES) {
  const files = new Set<string>();
  for (const route of routes) filesOf(route, files);
  const sizes = [...files].map((file) => ({ file, size: gzipped(file) }));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  isOver ||= total > budget;
  console.log(`${name}: ${total.toFixed(1)} kB gz of ${budget}${total > budget ? "  OVER" : ""}`);
  for (const { file, size } of sizes) console.log(`  ${size.toFixed(1).padStart(6)}  ${file}`);
}
process.exit(isOver ? 1 : 0);
