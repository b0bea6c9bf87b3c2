import { resolve } from "node:path";

/** Next to the command line's sources, so that it finds the manifest and the page at the same relative paths. */
export const PROGRAM_FOLDER = "packages/cli/dist-tests";

/** The command line as one bundle, which starts in half the time of its sources. */
export const PROGRAM: string = resolve(PROGRAM_FOLDER, "program.mjs");
