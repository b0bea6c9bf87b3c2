import { saying, type FolderOffer, type Saying } from "@holdpoint/protocol";

import type { Snapshot, SnapshotFile } from "./snapshot.ts";

/** What a person cannot read through is not offered. */
const MAX_SHOWN_BYTES = 512 * 1024;

/** What a config file would do, as far as that is known without running it. */
export type ConfigEffect = Pick<FolderOffer, "problem" | "said" | "settings">;

/** What a person is asked, beside what is loaded now. */
export function describeOffer(
  snapshot: Snapshot,
  loaded: Snapshot | undefined,
  describeConfig: (config: SnapshotFile) => ConfigEffect,
): FolderOffer {
  const before = new Map(loaded?.files.map((file) => [file.name, file]));
  const names = new Set(snapshot.files.map(({ name }) => name));
  const config = snapshot.files.find(({ role }) => role === "config");
  return {
    hash: snapshot.hash,
    files: snapshot.files.map((file) => describeFile(file, before.get(file.name))),
    removed: [...before.keys()].filter((name) => !names.has(name)),
    packages: [...snapshot.packages],
    ...(config ? describeConfig(config) : { settings: [] }),
  };
}

/** Why a person could not look at everything that would be loaded. */
export function refuseOffer({ files }: Snapshot): Saying | undefined {
  const byteCount = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return byteCount > MAX_SHOWN_BYTES
    ? saying("files_too_long", { count: files.length, kilobytes: Math.ceil(byteCount / 1024) })
    : undefined;
}

type OfferedFile = FolderOffer["files"][number];

function describeFile(file: SnapshotFile, before: SnapshotFile | undefined): OfferedFile {
  const { name, path, role, bytes } = file;
  const text = bytes.toString();
  const described = { name, path, role, text };
  if (before === undefined) return { ...described, change: "new" };
  if (before.path === path && before.bytes.equals(bytes)) return { ...described, change: "same" };
  const difference = toDifference(before.bytes.toString(), text);
  return { ...described, change: "changed", difference };
}

/** From the first to the last changed line: what the text was before, then what it is now. */
function toDifference(before: string, now: string): string {
  const [old, lines] = [before.split("\n"), now.split("\n")];
  const most = Math.min(old.length, lines.length);
  let start = 0;
  while (start < most && old[start] === lines[start]) start += 1;
  let same = 0;
  while (same < most - start && old.at(-1 - same) === lines.at(-1 - same)) same += 1;
  return [
    `@@ line ${start + 1} @@`,
    ...old.slice(start, old.length - same).map((line) => `- ${line}`),
    ...lines.slice(start, lines.length - same).map((line) => `+ ${line}`),
  ].join("\n");
}
