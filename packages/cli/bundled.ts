/**
 * What is in the bundle of the gateway's program although it is installed with the package. Node would find and read two
 * hundred files at each start otherwise, which took a third of it. What is not installed is in the bundle anyway. Pino
 * starts threads from its own files, so it stays outside.
 */
export const BUNDLED = [
  /^@holdpoint\//u,
  /^(?:@noble|canonicalize|env-paths|open|re2js|uqr|zod)(?:\/|$)/u,
];

/** The programs that the gateway starts, in a process or a thread of their own. Each is a file next to the gateway's. */
export const STARTED_PROGRAMS = {
  "host-program": "../agents/src/host/host-program.ts",
  "judge-program": "../agents/src/claude/judge-program.ts",
  "try-tools-program": "src/doctor/try-tools-program.ts",
};
