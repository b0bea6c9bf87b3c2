import type { BrowserContext, Locator, Page } from "playwright-core";

import { watchFrames } from "./watch-frames.ts";

/** A page without any code of ours that does the least: a field to type into, and text that grows. */
export interface BarePage {
  readonly page: Page;
  readonly field: Locator;
  /** Lets the text grow while something is done. */
  grow(work: () => Promise<void>): Promise<void>;
}

/** Its frames are watched. `growsEveryMs`: how often its text grows. */
export async function openBarePage(
  context: BrowserContext,
  { growsEveryMs }: { readonly growsEveryMs: number },
): Promise<BarePage> {
  const page = await context.newPage();
  await watchFrames(page);
  await page.goto("about:blank");
  // `setContent` would take what watches the frames away.
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
