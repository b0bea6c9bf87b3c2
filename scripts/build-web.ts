// Builds the page that the gateway serves, unless it is up to date.
import { buildPage } from "./build-page.ts";

buildPage((line) => process.stdout.write(`${line}\n`));
