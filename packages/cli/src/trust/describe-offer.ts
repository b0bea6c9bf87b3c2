import { saying, type FolderOffer, type Saying } from "@holdpoint/protocol";

import type { Snapshot, SnapshotFile } from "./snapshot.ts";

/** Larger contents are not offered, since no person can read through them. */
const MAX_SHOWN_BYTES = 512 * 1024;

/** The effect of a config file, as far as it can be determined without running it. */
export type ConfigEffect = Pick<FolderOffer, "problem" | "said" | "settings">;

/** The offer to a person: the new content, compared with the loaded one. */
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

/** Why a person could not review everything that would be loaded; `undefined` if they could. */
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

/** The range from the first to the last changed line: the old lines, then the new ones. */
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
