import type { Page } from "playwright-core";

/** Delays that a page's person notices, in milliseconds. */
export interface Felt {
  /** From each key to the frame after it. */
  readonly keys: readonly number[];
  /** From each message of the gateway that changed the conversation to the frame that shows it. */
  readonly tokens: readonly number[];
}

interface Watch {
  felt: { keys: number[]; tokens: number[] };
  arrivedAt: number | undefined;
}

/** Call it before the page is opened. */
export async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(install);
}

/** The delays since the last call. */
export function takeFelt(page: Page): Promise<Felt> {
  return page.evaluate(() => {
    const watch = Reflect.get(globalThis, "watch") as Watch;
    const { felt } = watch;
    watch.felt = { keys: [], tokens: [] };
    return felt;
  });
}

/** Runs in each page, before its own scripts. */
function install(): void {
  const watch: Watch = { felt: { keys: [], tokens: [] }, arrivedAt: undefined };
  Reflect.set(globalThis, "watch", watch);
  // A frame is on screen when the first task after it runs.
  const afterFrame = (run: () => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", run, { once: true });
      port1.start();
      port2.postMessage(undefined);
    });
  };
  addEventListener(
    "keydown",
    ({ timeStamp }) => afterFrame(() => watch.felt.keys.push(performance.now() - timeStamp)),
    { capture: true },
  );
  const Original = WebSocket;
  globalThis.WebSocket = class extends Original {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", () => (watch.arrivedAt ??= performance.now()));
    }
  };
  new MutationObserver((changes) => {
    const { arrivedAt } = watch;
    const isText = changes.some(({ target }) => target.parentElement?.closest("[role=log]"));
    if (arrivedAt === undefined || !isText) return;
    watch.arrivedAt = undefined;
    afterFrame(() => watch.felt.tokens.push(performance.now() - arrivedAt));
  }).observe(document, { childList: true, characterData: true, subtree: true });
}
