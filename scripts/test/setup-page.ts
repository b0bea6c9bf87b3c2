import { buildPage } from "../build-page.ts";
import { BROWSER_HELP, findBrowser } from "../find-browser.ts";

/** Before browser tests: there is a browser, and the page is built from the present sources. */
export function setup(): void {
  if (findBrowser() === undefined) throw new Error(`No Chromium. ${BROWSER_HELP}`);
  buildPage((line) => process.stdout.write(`${line}\n`));
}
