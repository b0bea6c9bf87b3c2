// Builds what is published as `holdpoint`: the bundle, the web interface beside it, licence and readme.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync } from "node:fs";

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

run("vite", ["build", "packages/web", "--logLevel", "error"], ".");
run("tsdown", ["--logLevel", "error"], "packages/cli");
cpSync("packages/web/dist", "packages/cli/dist/web", { recursive: true });
for (const file of ["LICENSE", "README.md"]) copyFileSync(file, `packages/cli/${file}`);
