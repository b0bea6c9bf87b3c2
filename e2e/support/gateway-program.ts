// The command line, without building the page. The tests start a bundle of it.
import { runProgram } from "../../packages/cli/src/run-program.ts";

await runProgram(process.argv.slice(2));
