// npm run try:inspector: installs the unmodified MCP Inspector into a temporary folder (110 MB), and lets its command
// line finish calls with a page, as a task and by waiting, each across a gateway that is killed. Exits with 1 when
// something does not work.
import { buildGateway } from "./build-gateway.ts";
import { tryInspector } from "./inspector/try-inspector.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  buildGateway();
  await tryInspector((line) => print(`  works: ${line}`));
} catch (problem: unknown) {
  print(`  FAILED: ${problem instanceof Error ? problem.message : String(problem)}`);
  process.exitCode = 1;
}
