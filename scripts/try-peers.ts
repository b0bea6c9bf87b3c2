// npm run try:peers: builds the package, installs it with its oldest peers and with the newest tested ones, and runs a
// small program with it. Exits with 1 when it does not work with one of them.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TESTED_SDK } from "../packages/agents/src/claude/sdk-version.ts";
import { tryPeers } from "./peers/try-peers.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const manifest = readFileSync("packages/cli/package.json", "utf8");
const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: Record<string, string> };
const range = peerDependencies["@anthropic-ai/claude-agent-sdk"] ?? "";
const [, oldest = ""] = /^>=(\d+\.\d+\.\d+)$/.exec(range) ?? [];
if (oldest === "" || peerDependencies["react"] !== ">=19") {
  throw new Error("The peer ranges have changed: name the oldest of them here.");
}
const root = mkdtempSync(join(tmpdir(), "holdpoint-peers-"));
let failed = 0;
try {
  const packing = ["pack", "--json", "./dist/holdpoint", "--pack-destination", root];
  const said = execFileSync("npm", packing, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(said) as [{ filename: string }];
  for (const [react, sdk] of [
    ["19.0.0", oldest],
    ["19", TESTED_SDK],
  ] as const) {
    print(`React ${react}, Claude Agent SDK ${sdk}`);
    const folder = join(root, `react-${react}`);
    mkdirSync(folder);
    try {
      await tryPeers(folder, join(root, filename), { react, sdk }, (line) =>
        print(`  works: ${line}`),
      );
    } catch (problem: unknown) {
      failed += 1;
      print(`  FAILED: ${problem instanceof Error ? problem.message : String(problem)}`);
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed > 0 ? 1 : 0);
