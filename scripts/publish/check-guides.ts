import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "vite";

import { checkTypes } from "./check-types.ts";
import { installInto } from "./install-into.ts";

const PAGES = [
  "README.md",
  "guides/interactive-tools.md",
  "guides/embedding.md",
  "guides/programs.md",
  "guides/notifications.md",
];
const APPS = ["over-http", "in-process"];
const NEEDED = ["react", "react-dom", "@types/react", "@types/react-dom"];

/**
 * Runs the first tool of the README in a bench, and the gateway of the embedding guide, with the modules of the
 * pages.
 */
const PROGRAM = `import { openToolBench } from "holdpoint/testing";
import { openPlugin } from "../guides/examples/editor-plugin.ts";
import { createLetter } from "../in-process/letter.ts";
import { openOwnGateway } from "../in-process/gateway.ts";
import sendInvoice from "./README-1.ts";

await using bench = await openToolBench({ tool: sendInvoice, cwd: import.meta.dirname });
const sent = bench.call({ customer: "Ada", cents: 4200 });
await bench.answer({ action: "approve" });
console.log(JSON.stringify(await sent));

await using transport = await openOwnGateway(createLetter("Hello"));
const [editor] = await transport.listAgents();
console.log(editor?.agent);

const dataDir = import.meta.dirname + "/plugin-log";
await using plugin = await openPlugin({ folder: import.meta.dirname, dataDir, env: process.env });
const [claude] = await plugin.transport.listAgents();
console.log(claude?.agent, (await plugin.transport.listSessions()).items.length);
`;
const SAID = `{"sent":true,"invoice":{"customer":"Ada","cents":4200}}\neditor\nclaude 0\n`;
/** The author of a store runs the suites with their own test runner; the types are enough here. */
const CONTRACTS = `import { createMemoryStore } from "holdpoint/engine";
import { describeAdapterContract, describeStoreContract, describeTransportContract } from "holdpoint/contracts";

export const suites = [describeAdapterContract, describeStoreContract, describeTransportContract];
export const store = createMemoryStore();
`;

/** Compiles every module on the pages, runs the first tool in a bench, and builds both embedding apps. */
export async function checkGuides(folder: string): Promise<void> {
  installInto(folder, [...NEEDED, "@types/node"].map(toInstalled));
  for (const app of APPS) {
    cpSync(`examples/embed/${app}/src`, join(folder, app), { recursive: true });
  }
  mkdirSync(join(folder, "pages"));
  const modules = PAGES.flatMap((page) => writeModules(page, join(folder, "pages")));
  writeFileSync(join(folder, "pages/program.ts"), PROGRAM);
  writeFileSync(join(folder, "pages/contracts.ts"), CONTRACTS);
  // The guides come with the package, but Node does not run modules of this kind in `node_modules`.
  cpSync(join(folder, "node_modules/holdpoint/guides"), join(folder, "guides"), {
    recursive: true,
  });
  // Types that a bundler and a test runner provide.
  writeFileSync(
    join(folder, "brought.d.ts"),
    `declare module "*.css";\ndeclare module "vitest";\n`,
  );
  const files = [
    "brought.d.ts",
    "pages/program.ts",
    "pages/contracts.ts",
    ...modules.map((name) => `pages/${name}`),
  ];
  const apps = APPS.flatMap((app) => toSources(app, readdirSync(join(folder, app))));
  checkTypes(folder, [...files, ...apps], ["--types", "node", "--jsx", "react-jsx"]);

  const said = execFileSync(process.execPath, ["pages/program.ts"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (said !== SAID) throw new Error(`The tool of the README, in a bench, said:\n${said}`);
  for (const app of APPS) await buildApp(folder, app);
}

/** Writes the code blocks of a page that are modules, next to the files of their app. */
function writeModules(page: string, folder: string): string[] {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(/^```(tsx?)\n(import .*?)^```$/gms)];
  const stem = page.split("/").at(-1)!.replace(".md", "");
  return blocks.map(([, extension, code = ""], place) => {
    const name = `${stem}-${place + 1}.${extension}`;
    const elsewhere = code
      .replaceAll(/"\.\/(editor-agent|letter)\.ts"/g, `"../in-process/$1.ts"`)
      .replace("./tools/send-invoice.ts", "./README-1.ts");
    writeFileSync(join(folder, name), elsewhere);
    return name;
  });
}

function toSources(app: string, names: readonly string[]): string[] {
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => `${app}/${name}`);
}

/** As in the repository. */
function toInstalled(name: string): string {
  const manifest = readFileSync(`node_modules/${name}/package.json`, "utf8");
  return `${name}@${(JSON.parse(manifest) as { version: string }).version}`;
}

async function buildApp(folder: string, app: string): Promise<void> {
  const main = app === "in-process" ? "main.tsx" : "main.ts";
  await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: `built-${app}`,
      rolldownOptions: { input: join(folder, app, main) },
      target: "esnext",
    },
  });
  const built = readdirSync(join(folder, `built-${app}/assets`));
  if (!built.some((name) => name.endsWith(".css"))) {
    throw new Error(`The app ${app} has been built without the stylesheet of the cards.`);
  }
}
