import type { Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * The longest task of a page during some work: its processor time in milliseconds, which other programs on the
 * machine do not add to.
 */
export async function measureLongestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error("The page has no browser.");
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const toThread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(toThread),
  );
  const tasks = traceEvents.filter((event) => event.ph === "X" && pages.has(toThread(event)));
  if (tasks.length === 0) throw new Error("No task of the page was seen.");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
