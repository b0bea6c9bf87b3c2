// Starts the gateway from the sources; builds the page first when it is missing or stale.
import { main } from "../packages/cli/src/main.ts";
import { buildPage } from "./build-page.ts";

buildPage((line) => process.stderr.write(`${line}\n`));
await main(process.argv.slice(2));
