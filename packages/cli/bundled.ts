/**
 * Dependencies that are bundled although they are installed with the package. Otherwise Node would find and read two
 * hundred files at each start, which took a third of the start-up time. Packages that are not installed are bundled
 * anyway. Pino starts threads from its own files, so it stays outside.
 */
export const BUNDLED = [
  /^@holdpoint\//u,
  /^(?:@noble|canonicalize|env-paths|open|re2js|uqr|zod)(?:\/|$)/u,
];

/** The programs that the gateway starts in their own process or thread. Each is a file next to the gateway's. */
export const STARTED_PROGRAMS = {
  "host-program": "../agents/src/host/host-program.ts",
  "judge-program": "../agents/src/claude/judge-program.ts",
  "try-tools-program": "src/doctor/try-tools-program.ts",
};
