// Checks everything once with the types of Node and the browser; then the neutral and the browser packages without
// Node's.
import { spawnSync } from "node:child_process";

for (const project of ["tsconfig.json", "tsconfig/neutral.json", "tsconfig/browser.json"]) {
  const { status } = spawnSync("tsc", ["-p", project], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
