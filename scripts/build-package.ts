// Builds the published package `holdpoint` in dist/holdpoint: bundles, types, web interface, manifest, licence and
// readme.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { buildElement } from "../e2e/support/build-element.ts";
import { buildPage } from "./build-page.ts";

const SOURCE = "packages/cli";
const TARGET = "dist/holdpoint";
/** Further entry points besides tools, as in the manifest's own exports. */
const LIBRARIES = [
  "client",
  "client/direct",
  "contracts",
  "engine",
  "opentelemetry",
  "protocol",
  "react",
  "testing",
];
/** Entry points that run only in Node. */
const NODE_LIBRARIES = ["agents", "sqlite"];
/** Documents that the readme links to: the links have to work in the package as well. */
const DOCUMENTS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"];

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

function toLibraryExport(name: string): Record<"types" | "default", string> {
  const file = `./dist/library/${name.replace("/", "-")}`;
  return { types: `${file}.d.ts`, default: `${file}.js` };
}

/** In the repository the package is its sources; published it is the bundle. */
function toPublished(manifest: Record<string, unknown>): Record<string, unknown> {
  const { private: _private, devDependencies: _development, ...rest } = manifest;
  return {
    ...rest,
    // Not in the sources: npm would warn there on an older Node, although the repository brings the one that runs
    // them.
    engines: { node: ">=24.15" },
    // A page that imports one thing need not load the others.
    sideEffects: ["*.css"],
    exports: {
      ".": { types: "./dist/index.d.mts", default: "./dist/index.mjs" },
      ...Object.fromEntries(LIBRARIES.map((name) => [`./${name}`, toLibraryExport(name)])),
      ...Object.fromEntries(
        NODE_LIBRARIES.map((name) => [
          `./${name}`,
          { types: `./dist/${name}.d.mts`, default: `./dist/${name}.mjs` },
        ]),
      ),
      "./element": "./dist/library/element/element.js",
      "./react/embed.css": "./dist/library/styles/embed.css",
      "./package.json": "./package.json",
    },
  };
}

/** Bundled types leave imports of nothing, and of packages that need not be installed. */
function dropBareImports(path: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(/^import "[^"]+";\n/gm, ""));
}

rmSync(TARGET, { recursive: true, force: true });
buildPage((line) => process.stdout.write(`${line}\n`));
run("tsdown", ["--logLevel", "error"], SOURCE);
cpSync("packages/web/dist", `${TARGET}/dist/web`, {
  recursive: true,
  // The build's metadata is only for this repository's own checks.
  filter: (path) => !path.includes("/.vite"),
});
cpSync("packages/react/src/styles", `${TARGET}/dist/library/styles`, {
  recursive: true,
  filter: (path) => !path.endsWith(".test.ts"),
});
cpSync(`${SOURCE}/bin`, `${TARGET}/bin`, { recursive: true });
for (const file of DOCUMENTS) copyFileSync(file, `${TARGET}/${file}`);
for (const folder of ["decisions", "examples", "guides"]) {
  cpSync(folder, `${TARGET}/${folder}`, {
    recursive: true,
    // Tests need this repository. A page built here is not part of the package.
    filter: (path) => !/\.test\.tsx?$|\/(?:node_modules|dist)(?:\/|$)/.test(path),
  });
}
const manifest = JSON.parse(readFileSync(`${SOURCE}/package.json`, "utf8")) as Record<
  string,
  unknown
>;
writeFileSync(`${TARGET}/package.json`, `${JSON.stringify(toPublished(manifest), undefined, 2)}\n`);
for (const name of NODE_LIBRARIES) dropBareImports(`${TARGET}/dist/${name}.d.mts`);
buildElement(`${TARGET}/dist/library/element`);
run(process.execPath, ["scripts/sbom.ts"], ".");
