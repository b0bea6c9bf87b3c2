import type { FolderOffer } from "@holdpoint/protocol";

import type { Snapshot, SnapshotFile } from "./snapshot.ts";

/** What a person cannot read through is not offered. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/** What a config file would do, as far as that is known without running it. */
export type ConfigEffect = Pick<FolderOffer, "problem" | "settings">;

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
    files: snapshot.files.map((file) => ({
      name: file.name,
      path: file.path,
      role: file.role,
      change: toChange(file, before.get(file.name)),
      text: file.bytes.toString(),
    })),
    removed: [...before.keys()].filter((name) => !names.has(name)),
    packages: [...snapshot.packages],
    ...(config ? describeConfig(config) : { settings: [] }),
  };
}

/** Why a person could not look at everything that would be loaded. */
export function refuseOffer({ files }: Snapshot): string | undefined {
  const byteCount = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return byteCount > MAX_SHOWN_BYTES
    ? `The ${files.length} files are too large to be looked through (${Math.ceil(byteCount / 1024)} kB). Name the config file with --config to load them.`
    : undefined;
}

function toChange(
  file: SnapshotFile,
  before: SnapshotFile | undefined,
): FolderOffer["files"][number]["change"] {
  if (before === undefined) return "new";
  return before.path === file.path && before.bytes.equals(file.bytes) ? "same" : "changed";
}
