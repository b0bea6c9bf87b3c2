import { BROWSER_HELP, findBrowser } from "../../e2e/support/find-browser.ts";

/** Runs before browser tests: checks that there is a browser. */
export function setup(): void {
  if (findBrowser() === undefined) throw new Error(`No Chromium. ${BROWSER_HELP}`);
}
