import { setTimeout as sleep } from "node:timers/promises";

import { atMost, median, type Row } from "../support/report.ts";
import { Book } from "./book.ts";
import { Follower } from "./follower.ts";
import { judge } from "./judge.ts";
import { playSessions } from "./live-sessions.ts";
import { Outages } from "./outages.ts";
import { openPrograms, Traffic } from "./programs.ts";
import type { ClusterScene } from "./scene.ts";

const ANSWERERS = 4;
const LIVE_SESSIONS = 3;
const MAX_TAKEOVER_MS = 15_000;
/** This many of the interactions that are pending at the end are answered. */
const ANSWERED_LAST = 500;
const MOST_SHOWN = 20;

export interface KillsOptions {
  readonly pending: number;
  readonly kills: number;
  /** The time from one kill to the next. */
  readonly everyMs: number;
}

/**
 * Random nodes are killed again and again while many interactions are pending, people answer, programs continue to
 * ask, agents run, and clients follow. At the end, all acknowledgements match the log, and pending interactions can
 * be answered.
 */
export async function measureKills(scene: ClusterScene, options: KillsOptions): Promise<Row[]> {
  const { pending, kills, everyMs } = options;
  const book = new Book();
  const programs = await openPrograms(scene, pending);
  const traffic = new Traffic(scene, book, programs);
  const filledMs = await timed(() => traffic.fill(pending));
  const followers = programs.map(
    ({ sessionId, readerToken: token }) => new Follower(scene, { sessionId, token }),
  );
  const over = new AbortController();
  const { signal } = over;
  const outages = new Outages(scene);
  const watching = outages.watch(signal);
  const answering = Array.from({ length: ANSWERERS }, () => traffic.answerOn(signal));
  const playing = Array.from({ length: LIVE_SESSIONS }, () => playSessions(scene, book, signal));
  await killAny(scene, { kills, everyMs, outages, book });
  over.abort();
  const played = (await Promise.all(playing)).reduce((sum, one) => sum + one, 0);
  await Promise.all([...answering, watching]);
  const answered = book.answered;
  await answerLast(book, traffic);
  const [url] = await scene.urlsInOrder();
  await judge(url, book, followers);
  for (const follower of followers) follower.leave();
  for (const problem of book.problems.slice(0, MOST_SHOWN)) print(`! ${problem}`);
  const later = [...book.refusals].map(([status, count]) => `${count} × ${status || "cut"}`);
  print(`asked to come again: ${later.join(", ")}`);
  return [
    { what: `making ${pending} asks`, figure: inSeconds(filledMs) },
    {
      what: `${kills} nodes killed with ${pending} pending, ${answered} answers of people and ${played} of running agents: lost, twice, or with a gap`,
      figure: String(book.problems.length),
      budget: atMost(book.problems.length, 0, "0"),
    },
    takeoverRow(outages.takeoversMs),
  ];
}

function takeoverRow(takeoversMs: readonly number[]): Row {
  const what = `${takeoversMs.length} of them had the lease: until another node works, longest`;
  if (takeoversMs.length === 0) return { what, figure: "none" };
  const longestMs = Math.max(...takeoversMs);
  return {
    what,
    figure: `${inSeconds(longestMs)} (p50 ${inSeconds(median(takeoversMs))})`,
    budget: atMost(longestMs, MAX_TAKEOVER_MS, inSeconds(MAX_TAKEOVER_MS)),
  };
}

/** Kills at fixed times, whatever the nodes are doing. A killed node is started again at once. */
async function killAny(
  scene: ClusterScene,
  {
    kills,
    everyMs,
    outages,
    book,
  }: Omit<KillsOptions, "pending"> & { readonly outages: Outages; readonly book: Book },
): Promise<void> {
  const startedAt = performance.now();
  const starting: Promise<void>[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    await sleep(Math.max(0, startedAt + kill * everyMs - performance.now()));
    const running = scene.places.filter(({ node }) => node !== undefined);
    const victim = running[Math.floor(Math.random() * running.length)];
    if (!victim) throw new Error("No node runs.");
    const hadLease = (await scene.leaseHolder()) === victim.node?.pid;
    await scene.kill(victim);
    if (hadLease) outages.begin();
    const start = scene.start(victim);
    starting.push(start.catch((error: unknown) => book.problem(`a node: ${String(error)}`)));
  }
  await Promise.all(starting);
}

/** Checks that interactions that were pending all the time can still be answered. */
async function answerLast(book: Book, traffic: Traffic): Promise<void> {
  const count = Math.min(ANSWERED_LAST, book.open.length);
  let left = count;
  const answerOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const entry = book.takeAny();
      if (entry) await traffic.answer(entry);
    }
  };
  await Promise.all(Array.from({ length: ANSWERERS }, answerOn));
}

async function timed(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
