import type { BrowserContext, Locator, Page } from "playwright-core";

import { watchFrames } from "./watch-frames.ts";

/** A minimal page without any of our code: a field to type into, and text that grows. */
export interface BarePage {
  readonly page: Page;
  readonly field: Locator;
  /** Lets the text grow during the work. */
  grow(work: () => Promise<void>): Promise<void>;
}

/** Watches the page's frames. `growsEveryMs`: the interval at which its text grows. */
export async function openBarePage(
  context: BrowserContext,
  { growsEveryMs }: { readonly growsEveryMs: number },
): Promise<BarePage> {
  const page = await context.newPage();
  await watchFrames(page);
  await page.goto("about:blank");
  // `setContent` would remove the frame watcher.
  await page.evaluate(() => {
    document.body.innerHTML = '<textarea></textarea><div role="log"><p></p></div>';
  });
  return {
    page,
    field: page.getByRole("textbox"),
    async grow(work) {
      await page.bringToFront();
      const timer = await page.evaluate((ms) => {
        const { watch } = globalThis as unknown as { watch: { arrivedAt: number | undefined } };
        const text = document.querySelector("p")!;
        return setInterval(() => {
          watch.arrivedAt ??= performance.now();
          text.append("Text. ");
        }, ms) as unknown as number;
      }, growsEveryMs);
      await work();
      await page.evaluate((id) => clearInterval(id), timer);
    },
  };
}
