// Compares the types of the built package with packages/cli/api, one text for each entry point. A change of the
// public API shows there in the same commit: `npm run check:api -- --update`.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

import { type Declarations, readDeclarations } from "./api/read-declarations.ts";
import { buildMissingPackage } from "./publish/build-missing.ts";

const SNAPSHOTS = "packages/cli/api";
const BUILT = "dist/holdpoint";

interface Manifest {
  readonly exports: Record<string, string | { readonly types: string }>;
}

buildMissingPackage();

/** Subpath → its types, for all subpaths with types. */
function findEntries(): [string, string][] {
  const manifest = JSON.parse(readFileSync(`${BUILT}/package.json`, "utf8")) as Manifest;
  return Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [[subpath, `${BUILT}/${target.types}`]],
  );
}

const read = new Map<string, Declarations>();

function declarationsOf(path: string): Declarations {
  const known = read.get(path) ?? readDeclarations(path);
  read.set(path, known);
  return known;
}

/** The text of a file's export with this name, from the file that declares it. */
function textOf(path: string, name: string): string {
  const { declared, exported, imported } = declarationsOf(path);
  const local = exported.get(name) ?? name;
  const from = imported.get(local);
  const text = declared.get(local) ?? (from && textOf(from.path, from.name));
  if (text === undefined) throw new Error(`${path} exports ${name}, which nothing declares.`);
  return text;
}

function describe(subpath: string, path: string): string {
  const names = [...declarationsOf(path).exported.keys()].toSorted();
  const parts = [subpath.replace(".", "// holdpoint"), ...names.map((name) => textOf(path, name))];
  return `${parts.join("\n\n")}\n`;
}

const described = new Map(
  findEntries().map(([subpath, path]) => [
    `${SNAPSHOTS}/${subpath === "." ? "holdpoint" : subpath.slice(2).replace("/", "-")}.txt`,
    describe(subpath, path),
  ]),
);
if (process.argv.includes("--update")) {
  rmSync(SNAPSHOTS, { recursive: true, force: true });
  mkdirSync(SNAPSHOTS);
  for (const [path, text] of described) writeFileSync(path, text);
}
const kept = globSync(`${SNAPSHOTS}/*.txt`);
const changed = [...new Set([...described.keys(), ...kept])].filter(
  (path) => !kept.includes(path) || readFileSync(path, "utf8") !== described.get(path),
);
if (changed.length > 0) {
  console.log(`The public API has changed: ${changed.map((path) => basename(path)).join(", ")}.`);
  console.log("If it should, run `npm run check:api -- --update` and read the difference.");
  process.exit(1);
}
console.log(`The public API is as ${SNAPSHOTS} has it (${described.size} subpaths).`);
