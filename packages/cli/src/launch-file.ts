import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Clock } from "@holdpoint/engine";

/** A browser has opened the file by then. */
const LIFETIME_MS = 60_000;

/**
 * Writes a file that leads a browser to the link, and resolves with its address. So the link appears in no program's
 * arguments, which every account of the machine can read. Only its owner can read the file, and it is removed after a
 * minute. One that a killed gateway left leads nowhere, and is replaced.
 */
export async function writeLaunchFile(
  launchUrl: string,
  { folder, clock }: { readonly folder: string; readonly clock: Clock },
): Promise<string> {
  const path = join(folder, "launch.html");
  await rm(path, { force: true });
  await writeFile(path, toPage(launchUrl), { mode: 0o600, flag: "wx" });
  clock.after(LIFETIME_MS, () => {
    rm(path, { force: true }).catch(() => undefined); // its code has ended or was used
  });
  return pathToFileURL(path).href;
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
