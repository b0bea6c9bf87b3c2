// Packs the built package, installs it into an empty folder, starts it there with a tool, requests the page, and
// compiles and runs the code of the guides. `npm run build:package` builds it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { buildMissingPackage } from "./publish/build-missing.ts";
import { checkGuides } from "./publish/check-guides.ts";
import { checkTypes } from "./publish/check-types.ts";
import { installInto } from "./publish/install-into.ts";
import { findSupplyFaults } from "./supply/check-supply.ts";

const TOKEN = "check-publish-0123456789-abcdefghij";
const EXPECTED = [
  "LICENSE",
  "README.md",
  "bin/holdpoint.js",
  "dist/run-program.mjs",
  "dist/index.mjs",
  "dist/index.d.mts",
  "dist/host-program.mjs",
  "dist/judge-program.mjs",
  "dist/try-tools-program.mjs",
  "dist/agents.mjs",
  "dist/agents.d.mts",
  "dist/sqlite.mjs",
  "dist/sqlite.d.mts",
  "examples/collect-email/collect-email.ts",
  "guides/interactive-tools.md",
  "ARCHITECTURE.md",
  "dist/library/THIRD-PARTY-NOTICES.txt",
  "dist/library/client.js",
  "dist/library/element/element.js",
  "dist/library/element/THIRD-PARTY-NOTICES.txt",
  "dist/library/react.js",
  "dist/library/styles/embed.css",
  "dist/web/index.html",
  "sbom.cdx.json",
];

const CONFIG = `import { greet } from "./tools.ts";
export default { tools: [greet] };
`;
/** Fails to compile when the handler's arguments and the context have lost their types. */
const TOOLS = `import { defineTool, type Tool } from "holdpoint";
import { z } from "zod";

export const greet: Tool = defineTool({
  name: "greet",
  description: "Greets somebody.",
  parameters: z.object({ name: z.string() }),
  async handler({ name }, context) {
    const length: number = name.length;
    // @ts-expect-error -- a kind that is none
    if (length > 100) await context.requestInteraction({ kind: "riddle" });
    // @ts-expect-error -- it is \`approvalScopes\`
    if (length > 99) await context.requestInteraction({ kind: "approval", approvalScope: ["once"] });
    if (length > 98) {
      const { action, input } = await context.requestInteraction({ kind: "approval" });
      if (action === "approve") Object.keys(input);
      const asked = { kind: "form", inputSchema: z.object({ age: z.int() }) } as const;
      const form = await context.requestInteraction(asked);
      if (form.action === "submit") form.values.age.toFixed(0);
      // @ts-expect-error -- no field of the form
      if (form.action === "submit") form.values.name;
    }
    return "Hello " + name;
  },
});
`;

buildMissingPackage();
const folder = mkdtempSync(join(tmpdir(), "holdpoint-pack-"));
try {
  const packed = execFileSync(
    "npm",
    ["pack", "--json", "./dist/holdpoint", "--pack-destination", folder],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const [{ filename, files }] = JSON.parse(packed) as [
    { filename: string; files: { path: string }[] },
  ];
  const paths = files.map((file) => file.path);
  const missing = EXPECTED.filter((path) => !paths.includes(path));
  const surplus = paths.filter(
    (path) => /\.(ts|tsx|mts|test\.js|map)$/.test(path) && !isPublishedType(path),
  );
  if (missing.length + surplus.length > 0) {
    throw new Error(`missing: ${missing.join()}; surplus: ${surplus.join()}`);
  }

  writeFileSync(join(folder, "package.json"), `{"name":"empty","private":true,"type":"module"}`);
  installInto(folder, [join(folder, filename)]);
  const faults = findSupplyFaults(folder, "dist/holdpoint");
  if (faults.length > 0) throw new Error(faults.join("\n"));
  writeFileSync(join(folder, "tools.ts"), TOOLS);
  writeFileSync(join(folder, "holdpoint.config.ts"), CONFIG);
  checkTypes(folder, ["tools.ts"]);
  await startAndStop();
  await checkGuides(folder);
  process.stdout.write(
    `holdpoint packs (${paths.length} files), installs, starts, stops and does what the guides say.\n`,
  );
} finally {
  for (const path of [folder, `${folder}.data`]) rmSync(path, { recursive: true, force: true });
}

function isPublishedType(path: string): boolean {
  return (
    EXPECTED.includes(path) ||
    /^dist\/(?:library\/)?[^/]+\.d\.m?ts$/.test(path) ||
    /^(?:examples|guides)\/.*(?<!\.test)\.tsx?$/.test(path)
  );
}

async function startAndStop(): Promise<void> {
  const bin = join(folder, "node_modules/holdpoint/bin/holdpoint.js");
  const config = ["--config", join(folder, "holdpoint.config.ts")];
  const flags = ["--json", "--port", "0", "--data-dir", `${folder}.data`, ...config];
  const gateway = spawn(process.execPath, [bin, ...flags], {
    cwd: folder,
    // The settings of the person who runs this must not apply to the package.
    env: { ...process.env, HOLDPOINT_TOKEN: TOKEN, XDG_CONFIG_HOME: `${folder}.config` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(gateway, "exit");
  const limit = AbortSignal.timeout(60_000);
  limit.addEventListener("abort", () => gateway.kill("SIGKILL"));
  for await (const line of createInterface({ input: gateway.stdout })) {
    const { url } = JSON.parse(line) as { url: string };
    const headers = { authorization: `Bearer ${TOKEN}` };
    const tools = await (await fetch(`${url}/api/tools`, { headers })).text();
    if (!tools.includes('"greet"')) throw new Error("The installed gateway has not loaded a tool.");
    const health = await fetch(`${url}/healthz`);
    const page = await (await fetch(url)).text();
    if (!health.ok || !page.includes("<div id=")) {
      throw new Error("The installed gateway does not serve its page.");
    }
    gateway.kill("SIGTERM");
  }
  const [code] = (await exited) as [number | null];
  if (code !== 0) throw new Error(`The installed gateway ended with ${code}.`);
}
