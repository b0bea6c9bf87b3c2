/** Runs some test files of `npm test` with many more cases. */
export interface Campaign {
  readonly name: string;
  /** The subject of the campaign, for the list of campaigns. */
  readonly what: string;
  readonly project: "unit" | "process" | "browser";
  readonly files: readonly string[];
  /**
   * The number of cases planned in each file, which the tests get as a variable. Absent when the files determine it.
   */
  readonly cases?: number;
  /** Counts the tests that passed instead of the cases they report. */
  readonly countsTests?: boolean;
  /** Variables of the files in addition to `CAMPAIGN_CASES` and `CAMPAIGN_SEED`. */
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
    name: "schedules-sqlite",
    what: "the same over SQLite",
    project: "unit",
    files: ["packages/store-sqlite/src/sqlite-store.schedules.test.ts"],
    cases: 1000,
  },
  {
    name: "schedules-postgres",
    what: "the same over Postgres",
    project: "unit",
    files: ["packages/store-postgres/src/postgres-store.schedules.test.ts"],
    cases: 300,
  },
  {
    name: "nodes",
    what: "nodes that are stopped and a database that answers late: never do two work at once",
    project: "unit",
    files: ["packages/store-postgres/src/lease-life.test.ts"],
    cases: 2_000_000,
  },
  {
    name: "power",
    what: "losses of power with torn writes, at any moment of a run",
    project: "unit",
    files: ["packages/store-sqlite/src/power-loss.test.ts"],
    cases: 2000,
  },
  {
    name: "damage",
    what: "databases and logs with pages that are overwritten, cut, or gone",
    project: "unit",
    files: ["packages/store-sqlite/src/damage.test.ts"],
    cases: 3000,
  },
  {
    name: "store-faults",
    what: "disks that fill up or fail, and databases that another program holds for a while or without end",
    project: "unit",
    files: ["packages/store-sqlite/src/store-faults.test.ts"],
    cases: 600,
  },
  {
    name: "cuts",
    what: "cuts of the network in the middle of what it carries, on event streams and WebSockets",
    project: "process",
    files: ["e2e/faults/cuts.test.ts"],
    cases: 10_000,
  },
  {
    name: "asks",
    what: "asks of a script, under kills of the gateway and of the script",
    project: "process",
    files: ["e2e/faults/ask-kills.test.ts"],
    cases: 100,
  },
  {
    name: "crowd",
    what: "a minute of 1,000 clients with 200 interactions a second",
    project: "process",
    files: ["e2e/faults/crowd.test.ts"],
    cases: 12_000,
    env: { CROWD_CLIENTS: "1000", CROWD_PER_SECOND: "200" },
  },
  {
    name: "stalled",
    what: "clients that read nothing, and what they cost",
    project: "process",
    files: ["e2e/faults/stalled.test.ts"],
    cases: 100,
  },
  {
    name: "soak",
    what: "seconds of ordinary use, after which nothing may be left behind",
    project: "process",
    files: ["e2e/faults/soak.test.ts"],
    cases: 3600,
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
    name: "breadth",
    what: "every row of the tables of which `npm test` tries those that differ most",
    project: "process",
    files: [
      "e2e/claude-lost-calls.test.ts",
      "e2e/claude-lost-host.test.ts",
      "e2e/claude-next-gateway.test.ts",
      "e2e/floods.test.ts",
      "e2e/folder-trust.test.ts",
      "packages/agents/e2e/claude-killed.test.ts",
      "packages/agents/e2e/claude-left-alone.test.ts",
      "packages/agents/e2e/claude-parking.test.ts",
      "packages/agents/e2e/claude-protection.test.ts",
      "packages/agents/e2e/claude-turns.test.ts",
    ],
    countsTests: true,
    env: { CAMPAIGN_BREADTH: "1" },
  },
  {
    name: "screens",
    what: "on every screen, and after every death, what `npm test` tries on one of them",
    project: "browser",
    files: [
      "e2e/browser/accessibility.test.ts",
      "e2e/browser/approval.test.ts",
      "e2e/browser/archive.test.ts",
      "e2e/browser/claude-durability.test.ts",
      "e2e/browser/composer.test.ts",
      "e2e/browser/devices-page.test.ts",
      "e2e/browser/embed-in-process.test.ts",
      "e2e/browser/embed.test.ts",
      "e2e/browser/first-view.test.ts",
      "e2e/browser/fits.test.ts",
      "e2e/browser/form.test.ts",
      "e2e/browser/german.test.ts",
      "e2e/browser/grants.test.ts",
      "e2e/browser/hostile.test.ts",
      "e2e/browser/in-view.test.ts",
      "e2e/browser/inbox.test.ts",
      "e2e/browser/late-code.test.ts",
      "e2e/browser/menus.test.ts",
      "e2e/browser/network.test.ts",
      "e2e/browser/reload.test.ts",
      "e2e/browser/right-to-left.test.ts",
      "e2e/browser/source-examples.test.ts",
      "e2e/browser/tour.test.ts",
      "e2e/browser/words.test.ts",
    ],
    countsTests: true,
    env: { CAMPAIGN_BREADTH: "1" },
  },
  {
    name: "paths",
    what: "ways to write a path that an agent may not reach",
    project: "unit",
    files: ["packages/agents/src/protection/judge-tool-use.test.ts"],
    cases: 3000,
  },
  {
    name: "store-kills",
    what: "processes killed while they append to a store",
    project: "unit",
    files: ["packages/store-sqlite/src/sqlite-store.crash.test.ts"],
    cases: 200,
  },
  {
    name: "postgres-kills",
    what: "processes killed while they append to Postgres, and as many connections that end in mid-commit",
    project: "unit",
    files: ["packages/store-postgres/src/postgres-store.crash.test.ts"],
    cases: 200,
  },
  {
    name: "crashes",
    what: "gateways killed right after they acknowledged a response",
    project: "process",
    files: ["e2e/crash.test.ts"],
    cases: 200,
  },
  {
    name: "notify-kills",
    what: "gateways killed while the push service has their message, or before they send it again",
    project: "process",
    files: ["e2e/notifications.test.ts"],
    cases: 100,
  },
  {
    name: "tool-answers",
    what: "gateways killed or stopped within 20 ms of the answers to their tools, with the real Claude",
    project: "process",
    files: ["e2e/faults/tool-answers.test.ts"],
    cases: 500,
  },
  {
    name: "kills",
    what: "kill -9 of gateways, agent hosts and agents, with the real Claude",
    project: "process",
    files: ["e2e/faults/kills.test.ts"],
    cases: 2000,
  },
];
