// Starts the gateway from the sources; builds the page first when it is missing or stale.
import { runProgram } from "../packages/cli/src/run-program.ts";
import { buildPage } from "./build-page.ts";

buildPage((line) => process.stderr.write(`${line}\n`));
await runProgram(process.argv.slice(2));
