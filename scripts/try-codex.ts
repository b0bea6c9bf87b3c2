// npm run try:codex: installs stock Codex into a temporary folder (400 MB), adopts its terminal, and lets it ask in a
// pseudo-terminal with a scripted model on loopback. Takes three minutes. Exits with 1 when something does not work.
import { buildGateway } from "./build-gateway.ts";
import { tryCodex } from "./codex/try-codex.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  buildGateway();
  await tryCodex((line) => print(`  works: ${line}`));
} catch (problem: unknown) {
  print(`  FAILED: ${problem instanceof Error ? problem.message : String(problem)}`);
  process.exitCode = 1;
}
