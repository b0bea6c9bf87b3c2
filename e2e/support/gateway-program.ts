// The command line, without building the page. The tests start a bundle of it.
import { main } from "../../packages/cli/src/main.ts";

await main(process.argv.slice(2));
