import { execFileSync } from "node:child_process";

/** Installs packages into a folder as somebody would who has only that folder. */
export function installInto(folder: string, packages: readonly string[]): void {
  const flags = ["--no-audit", "--no-fund", "--omit=dev"];
  const stdio = ["ignore", "ignore", "inherit"] as const;
  execFileSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: [...stdio] });
}
