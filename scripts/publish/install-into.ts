import { execFileSync } from "node:child_process";

/** Installs packages into an empty folder, as a user would. */
export function installInto(folder: string, packages: readonly string[]): void {
  const flags = ["--no-audit", "--no-fund", "--omit=dev"];
  const stdio = ["ignore", "ignore", "inherit"] as const;
  execFileSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: [...stdio] });
}
