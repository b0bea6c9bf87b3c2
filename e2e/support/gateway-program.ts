// The command line from the sources, without building the page.
import { main } from "../../packages/cli/src/main.ts";

await main(process.argv.slice(2));
