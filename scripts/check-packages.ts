// The tree is the architecture: a package uses only packages listed before it, a folder only folders listed before
// it.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The packages that each package may use. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  engine: ["protocol"],
  notify: ["engine", "protocol"],
  "store-sqlite": ["notify", "engine", "protocol"],
  "store-postgres": ["store-sqlite", "notify", "engine", "protocol"],
  agents: ["engine", "protocol"],
  server: ["engine", "protocol"],
  client: ["protocol"],
  react: ["client", "protocol"],
  web: ["react", "client", "protocol"],
  cli: [
    "agents",
    "server",
    "store-postgres",
    "store-sqlite",
    "react",
    "client",
    "notify",
    "engine",
    "protocol",
  ],
};

/**
 * The folders of a package in their order, together with files next to them that they use: each may import, types
 * included, only earlier entries. The other files of `src`, such as `index.ts`, combine them and are imported by
 * none.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  engine: [
    "ports",
    "lib",
    "memory-store",
    "presence",
    "credentials",
    "session",
    "grants",
    "interaction",
    "turn",
    "tools",
    "asks",
    "stream",
    "gateway",
  ],
  notify: ["ports", "lib", "message.ts", "deliveries", "web-push", "webhook", "callbacks"],
  "store-sqlite": ["migrations"],
  "store-postgres": ["migrations", "functions"],
  agents: ["host", "protection", "claude", "demo", "external", "terminal"],
  client: ["lib", "transports", "asks", "view", "store"],
  react: ["styles", "words", "parts", "cards", "hooks", "conversation", "element"],
  web: [
    "styles",
    "words",
    "base-path.ts",
    "route.ts",
    "use-route.ts",
    "external-agents.ts",
    "link.tsx",
    "mark.tsx",
    "relative-time.ts",
    "menu.tsx",
    "menu-button.tsx",
    "dialog.tsx",
    "confirm-dialog.tsx",
    "show-more.tsx",
    "column-page.tsx",
    "use-listed-session.ts",
    "search-field.tsx",
    "use-searched.ts",
    "device",
    "code",
    "inbox",
    "launch",
    "card-page",
    "sessions",
    "grants",
    "devices",
    "trust",
    "history",
    "palette",
    "shell",
  ],
  server: [
    "server-error.ts",
    "streams",
    "auth",
    "http",
    "metrics",
    "people",
    "mcp",
    "server-context.ts",
    "run-operation.ts",
    "openapi",
    "routes",
    "socket",
    "static",
    "nodes",
  ],
  cli: [
    "usage-error.ts",
    "load-error.ts",
    "environment.ts",
    "flags.ts",
    "usage.ts",
    "version.ts",
    "private-text.ts",
    "person-name.ts",
    "log.ts",
    "qr-code.ts",
    "terminal.ts",
    "trust",
    "tools",
    "network",
    "config",
    "control",
    "terminals",
    "telemetry",
    "adopt",
    "audit",
    "commands",
    "files",
    "compose",
    "doctor",
    "nodes",
  ],
};

/** What the other folders may use of one another. Tests inside a package may use `e2e`. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  e2e: [],
  scripts: ["e2e"],
  bench: ["scripts", "e2e"],
  packages: ["e2e"],
};

/** The modules that may start programs. Everything else uses `startProgram`. */
const STARTERS: ReadonlySet<string> = new Set([
  "packages/agents/src/host/start-program.ts",
  // An agent, its host, and the watchdog that ends it when its host dies.
  "packages/agents/src/host/agent-process.ts",
  "packages/agents/src/host/spawn-hosted.ts",
  "packages/agents/src/host/watchdog.ts",
  // The gateway restarts in place, with another environment.
  "packages/cli/src/map-buffers.ts",
  "packages/cli/src/take-token.ts",
  // The browser.
  "packages/cli/src/main.ts",
]);
const STARTS_PROGRAMS = /child_process|from "(?:node:)?cluster"|\bexecve\b|\.binding\(|from "open"/;

/** Tests may use any package's `testing` entry, and every module that they combine. */
const IS_TEST = /\.test\.tsx?$|\/(testing|e2e|gallery)\//;
const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;
/** Without `import()`, which loads a module later. */
const STATIC_IMPORT = /(?:from|import)\s+"([^"]+)"/g;

const files = globSync("packages/*/**/*.{ts,tsx}", {
  exclude: ["**/node_modules/**", "**/dist/**"],
}).filter((file) => !IS_TEST.test(file));
const faults = [
  ...findUnplaced(),
  ...files.flatMap((file) => [...findWrongPackages(file), ...findWrongFolders(file)]),
  ...files.flatMap(findStarts),
  ...findCircles(),
  ...findWrongTools(),
  ...findUnlocked(),
];
process.stdout.write(
  faults.length === 0 ? "Packages and folders keep their order.\n" : `${faults.join("\n")}\n`,
);
process.exit(faults.length === 0 ? 0 : 1);

function findStarts(file: string): string[] {
  const source = readFileSync(file, "utf8").replaceAll(/^import type .*$/gm, "");
  return STARTS_PROGRAMS.test(source) && !STARTERS.has(file)
    ? [`${file} may not start programs: use startProgram`]
    : [];
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, specifier = ""]) => specifier);
}

function findUnplaced(): string[] {
  const names = globSync("packages/*").map((folder) => folder.replace("packages/", ""));
  return names.flatMap((name) => [
    ...(name in PACKAGES ? [] : [`packages/${name} has no place in the order`]),
    ...(name in FOLDERS ? [] : [`packages/${name}: no order inside`]),
  ]);
}

function findWrongPackages(file: string): string[] {
  const [, own = ""] = file.split("/");
  return importsOf(file)
    .map((specifier) => /^@holdpoint\/([a-z-]+)/.exec(specifier)?.[1] ?? own)
    .filter((used) => used !== own && !PACKAGES[own]?.includes(used))
    .map((used) => `${file} may not use @holdpoint/${used}`);
}

function findWrongFolders(file: string): string[] {
  const [packages = "", own = "", source = "", ...rest] = file.split("/");
  const order = FOLDERS[own];
  if (order === undefined || source !== "src") return [];
  const root = join(packages, own, source);
  const placeOf = (part = ""): number => {
    const place = order.indexOf(part);
    return place === -1 ? order.length : place;
  };
  return importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(dirname(file), specifier))
    .filter((target) => {
      const [part] = target.slice(root.length + 1).split("/");
      return part !== rest[0] && placeOf(part) > placeOf(rest[0]);
    })
    .map((target) => `${file} may not import ${target}: that comes after it`);
}

/** Files that import one another in a circle, types included. Each circle is listed once. */
function findCircles(): string[] {
  const known = new Set(files);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      circles.push(`a circle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}`);
      return;
    }
    if (done.has(file)) return;
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT)) {
      const target = join(dirname(file), specifier);
      if (specifier.startsWith(".") && known.has(target)) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return circles;
}

function findWrongTools(): string[] {
  const tools = globSync("{bench,e2e,scripts,packages/*/e2e}/**/*.ts");
  return tools.flatMap((file) => {
    const [own = ""] = file.split("/");
    return importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => join(dirname(file), specifier))
      .filter((target) => {
        const [used = ""] = target.split("/");
        return used !== own && used in TOOLS && used !== "packages" && !TOOLS[own]?.includes(used);
      })
      .map((target) => `${file} may not import ${target}: ${own} comes before it`);
  });
}

/**
 * Optional dependencies of other platforms are missing in a lockfile that was created with an existing
 * `node_modules`.
 */
function findUnlocked(): string[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) =>
        [`node_modules/${name}`, `${path}/node_modules/${name}`].every((at) => !(at in packages)),
      )
      .map((name) => `package-lock.json lacks ${name}, which ${path || "the root"} names`),
  );
}
