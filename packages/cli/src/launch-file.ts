import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Clock } from "@holdpoint/engine";

/** A browser has opened the file by then. */
const LIFETIME_MS = 60_000;

/**
 * A file that leads a browser to the launch link, so that the link appears in no program's arguments, which every
 * account of the machine can read. Only its owner can read the file. It is removed once its code is used, or after a
 * minute. A file left by a killed gateway has an expired code, and is replaced.
 */
export class LaunchFile {
  readonly #path: string;
  readonly #clock: Clock;
  #timer: Disposable | undefined;

  constructor({ folder, clock }: { readonly folder: string; readonly clock: Clock }) {
    this.#path = join(folder, "launch.html");
    this.#clock = clock;
  }

  /** Writes the file and resolves with its address. */
  async write(launchUrl: string): Promise<string> {
    await rm(this.#path, { force: true });
    await writeFile(this.#path, toPage(launchUrl), { mode: 0o600, flag: "wx" });
    this.#timer = this.#clock.after(LIFETIME_MS, () => this.remove());
    return pathToFileURL(this.#path).href;
  }

  /** Removes the file, once its link has been used or has expired. */
  remove(): void {
    this.#timer?.[Symbol.dispose]();
    rm(this.#path, { force: true }).catch(() => undefined); // its code no longer works
  }
}

function toPage(launchUrl: string): string {
  const url = launchUrl.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return [
    "<!doctype html>",
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0;url=${url}">`,
    "<title>Holdpoint</title>",
    `<p><a href="${url}">Open Holdpoint</a></p>`,
    "",
  ].join("\n");
}
