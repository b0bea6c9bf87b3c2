import { serveJudges } from "../serve-judges.ts";

/** Judges that fail in every way a thread can fail. */
serveJudges((setup) => ({
  fine: async ({ toolName }) =>
    toolName === "free"
      ? undefined
      : { action: (setup as { verdict: "ask" | "deny" }).verdict, reason: toolName },
  hangs: async () => {
    for (;;);
  },
  waits: () => new Promise<undefined>(() => undefined),
  greedy: async () => {
    const kept: string[] = [];
    for (;;) kept.push(`${kept.length}`.repeat(1000).slice(1));
  },
  dies: async () => process.exit(0),
  throws: async () => {
    throw new Error("A failure.");
  },
  failsLater: async () => {
    setImmediate(() => {
      throw new Error("A failure.");
    });
    return new Promise<undefined>(() => undefined);
  },
}));
