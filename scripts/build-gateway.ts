import { buildPage } from "./build-page.ts";
import { buildProgram } from "./test/build-program.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Builds what `startGateway` starts, and the page that it serves, where they are missing or stale. Throws when a build fails. */
export function buildGateway(): void {
  buildPage(print);
  buildProgram(print);
}
