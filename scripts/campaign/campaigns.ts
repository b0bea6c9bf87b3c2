/** Many more cases of what some test files try in `npm test`, through the same code. */
export interface Campaign {
  readonly name: string;
  /** What is tried, for the list of campaigns. */
  readonly what: string;
  readonly project: "unit" | "process" | "browser";
  readonly files: readonly string[];
  /** So many are planned in each file, and that many the test is told to try. Absent: the files know all there are. */
  readonly cases?: number;
  /** Variables that the files read beside `CAMPAIGN_CASES` and `CAMPAIGN_SEED`. */
  readonly env?: Readonly<Record<string, string>>;
}

export const CAMPAIGNS: readonly Campaign[] = [
  {
    name: "schedules",
    what: "random orders of calls, clients, answers, time, stops and crashes, beside a model of them",
    project: "unit",
    files: [
      "packages/engine/src/tools/schedules.test.ts",
      "packages/client/src/view/session-view-schedules.test.ts",
    ],
    cases: 3000,
  },
  {
    name: "fuzz",
    what: "bodies, frames and messages of MCP that are almost right, a third of each",
    project: "process",
    files: ["e2e/fuzz.test.ts"],
    cases: 102_000,
  },
  {
    name: "hostile",
    what: "every hostile text in every field, on a processor that is made four times as slow",
    project: "browser",
    files: ["e2e/browser/bombs.test.ts", "e2e/browser/payloads.test.ts"],
    env: { BOMB_SHARE: "1", BOMB_THROTTLE: "4", PAYLOADS_AT_ONCE: "1" },
  },
  {
    name: "paths",
    what: "ways to write a path that an agent may not reach",
    project: "unit",
    files: ["packages/agents/src/protection/judge-tool-use.test.ts"],
    cases: 3000,
  },
  {
    name: "kills",
    what: "kill -9 of gateways that run or start, under the real Claude",
    project: "process",
    files: ["e2e/faults/kills.test.ts"],
    cases: 2000,
  },
];
