// The tree is the architecture: each package may use only those that stand before it.
import { globSync, readFileSync } from "node:fs";

const ALLOWED: Record<string, readonly string[]> = {
  protocol: [],
  engine: ["protocol"],
  "store-sqlite": ["engine", "protocol"],
  agents: ["engine", "protocol"],
  server: ["engine", "protocol"],
  client: ["protocol"],
  react: ["client", "protocol"],
  web: ["react", "client", "protocol"],
  cli: ["agents", "server", "store-sqlite", "react", "client", "engine", "protocol"],
};
/** Tests may use any package's `testing` entry, and whatever they put together. */
const IS_TEST = /\.test\.tsx?$|\/(testing|e2e|gallery)\//;
const IMPORT = /(?:from|import)\s*\(?\s*"@holdpoint\/([a-z-]+)/g;

const faults: string[] = [];
for (const file of globSync("packages/*/**/*.{ts,tsx}", {
  exclude: ["**/node_modules/**", "**/dist/**"],
})) {
  const [, own = ""] = file.split("/");
  if (IS_TEST.test(file)) continue;
  for (const [, used = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
    if (used !== own && !ALLOWED[own]?.includes(used)) {
      faults.push(`${file} may not use @holdpoint/${used}`);
    }
  }
}
for (const folder of globSync("packages/*")) {
  if (!(folder.replace("packages/", "") in ALLOWED)) {
    faults.push(`${folder} has no place in the order`);
  }
}
const locked = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<
    string,
    { optionalDependencies?: Record<string, string>; hasInstallScript?: boolean }
  >;
};
for (const [path, { optionalDependencies = {} }] of Object.entries(locked.packages)) {
  for (const name of Object.keys(optionalDependencies)) {
    const isLocked = [`node_modules/${name}`, `${path}/node_modules/${name}`].some(
      (at) => at in locked.packages,
    );
    if (!isLocked) {
      faults.push(`package-lock.json lacks ${name}, which ${path || "the root"} names`);
    }
  }
}
process.stdout.write(
  faults.length === 0 ? "The packages keep their order.\n" : `${faults.join("\n")}\n`,
);
process.exit(faults.length === 0 ? 0 : 1);
