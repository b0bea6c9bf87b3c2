import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { inMegabytes, reasonOf } from "./words.ts";

/** With less than this, writes may fail at any moment. */
const TOO_LITTLE_BYTES = 50e6;
const LITTLE_BYTES = 500e6;
const TOO_FEW_FILES = 100;

/** Checks the free space on the data folder's disk. */
export async function checkDisk({ settings: { dataDir } }: Scene): Promise<Finding[]> {
  const findings = new Findings("Disk");
  const found = await nearest(dataDir).catch((error: unknown) => reasonOf(error));
  if (typeof found === "string") {
    findings.problem(
      `the free space on the disk of ${dataDir} cannot be read (${found}).`,
      "Repair the disk, or choose another one with --data-dir.",
    );
    return findings.list;
  }
  const { path, place } = found;
  if (place.blocks === 0) {
    findings.problem(`${path} cannot hold files.`, "Choose another place with --data-dir.");
    return findings.list;
  }
  const freeBytes = place.bavail * place.bsize;
  // Some file systems have no limit on files, and report zeros.
  const isOutOfFiles = place.files > 0 && place.ffree < TOO_FEW_FILES;
  const facts = { freeBytes, ...(place.files > 0 && { freeFiles: place.ffree }) };
  const said = `${inMegabytes(freeBytes)} left`;
  if (freeBytes < TOO_LITTLE_BYTES) {
    findings.problem(
      `${said}: writes may fail.`,
      "Free some space. Nothing refused is lost: it can be sent again.",
      facts,
    );
  } else if (isOutOfFiles) {
    findings.problem(
      `it can take only ${place.ffree} more files.`,
      "Remove files that are not needed.",
      facts,
    );
  } else if (freeBytes < LITTLE_BYTES) {
    findings.note(`${said}.`, "Free some space soon.", facts);
  } else {
    findings.ok(said, facts);
  }
  return findings.list;
}

/** The file system of the path, or of its nearest existing parent. */
async function nearest(path: string): Promise<{ readonly path: string; readonly place: StatsFs }> {
  try {
    return { path, place: await statfs(path) };
  } catch (error: unknown) {
    if (reasonOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    return nearest(dirname(path));
  }
}
