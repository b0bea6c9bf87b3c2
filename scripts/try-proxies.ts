// npm run try:proxies: puts each proxy of guides/devices.md that this machine has in front of a gateway, with the guide's own
// config, and asks and answers through it. Exits with 1 when one does not work, and with 2 when there is none to try.
import { spawnSync } from "node:child_process";

import { buildGateway } from "./build-gateway.ts";
import { RECIPES } from "./proxies/recipes.ts";
import { tryRecipe } from "./proxies/try-recipe.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
let tried = 0;
let failed = 0;
for (const recipe of RECIPES) {
  const { program, variant, versionArgs } = recipe;
  const named = variant === undefined ? program : `${program} ${variant}`;
  const { stdout, stderr, error } = spawnSync(program, versionArgs, { encoding: "utf8" });
  if (error) {
    print(`${named}: NOT TRIED, it is not installed.`);
    continue;
  }
  if (tried === 0) buildGateway();
  tried += 1;
  print(`${named}, ${(stdout || stderr).trim()}`);
  try {
    await tryRecipe(recipe, (line) => print(`  works: ${line}`));
  } catch (problem: unknown) {
    failed += 1;
    print(`  FAILED: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}
process.exit(tried === 0 ? 2 : failed > 0 ? 1 : 0);
