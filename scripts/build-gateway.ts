import { buildPage } from "./build-page.ts";
import { buildProgram } from "./test/build-program.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Builds the program that `startGateway` starts, and the page it serves, when they are missing or stale. Throws when
 * a build fails.
 */
export function buildGateway(): void {
  buildPage(print);
  buildProgram(print);
}
