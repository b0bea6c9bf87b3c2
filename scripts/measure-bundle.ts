// Prints the initial download of each page, compressed. Exits with 1 when one is over its limit.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";

import { buildPage } from "./build-page.ts";

interface ManifestEntry {
  readonly file: string;
  readonly name?: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const DIST = fileURLToPath(new URL("../packages/web/dist", import.meta.url));

interface PageBudget {
  readonly name: string;
  /** Chunk names. A page consists of the entry, the chunks of its route, and their static imports. */
  readonly chunks: readonly string[];
  /** The budget of the design, in kB (1000 bytes) of gzip. */
  readonly budget: number;
  /** The limit of the check: the budget, or the best figure so far if that is higher. It is only ever lowered. */
  readonly limit: number;
}

const PAGES: readonly PageBudget[] = [
  {
    name: "session page",
    chunks: ["index", "shell"],
    budget: 150,
    limit: 150,
  },
  { name: "single-card page", chunks: ["index"], budget: 110, limit: 115 },
];

buildPage((line) => console.log(line));
const manifest = JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, "utf8")) as Record<
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

/** The manifest's key of the chunk with that name. */
function keyOf(chunk: string): string {
  const [key] = Object.entries(manifest).find(([, { name }]) => name === chunk) ?? [chunk];
  return key;
}

function sizeOf(file: string): number {
  // As the gateway compresses it, once.
  const level = constants.Z_BEST_COMPRESSION;
  return gzipSync(readFileSync(`${DIST}/${file}`), { level }).length / 1000;
}

/** Prints the page's files; returns true when they are within the limit. */
function measure({ name, chunks, budget, limit }: PageBudget): boolean {
  const files = new Set<string>();
  for (const chunk of chunks) filesOf(keyOf(chunk), files);
  const sizes = [...files].map((file) => ({ file, size: sizeOf(file) }));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  const verdict = total > limit ? "  OVER THE LIMIT" : total > budget ? "  over the budget" : "";
  console.log(`${name}: ${total.toFixed(1)} kB gz (budget ${budget}, limit ${limit})${verdict}`);
  for (const { file, size } of sizes) console.log(`  ${size.toFixed(1).padStart(6)}  ${file}`);
  return total <= limit;
}

const isWithin = PAGES.map(measure).every(Boolean);
process.exit(isWithin ? 0 : 1);
