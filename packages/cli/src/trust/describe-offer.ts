import { isUtf8 } from "node:buffer";

import { saying, type FolderOffer, type Saying } from "@holdpoint/protocol";

import type { FileContent, Snapshot, SnapshotFile } from "./snapshot.ts";

/** Larger contents are not offered, since no person can read through them. */
const MAX_SHOWN_BYTES = 512 * 1024;

/** The effect of a config file, as far as it can be determined without running it. */
export type ConfigEffect = Pick<FolderOffer, "problem" | "said" | "settings">;

/** The question to the person: the files as they are, compared with those that the person trusted last. */
export function describeOffer(
  snapshot: Snapshot,
  trusted: readonly FileContent[],
  describeConfig: (config: SnapshotFile) => ConfigEffect,
): FolderOffer {
  const before = new Map(trusted.map((file) => [file.name, file]));
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

function describeFile(file: FileContent, before: FileContent | undefined): OfferedFile {
  const { name, path, role, bytes } = file;
  const described = { name, path, role, text: toText(bytes, isUtf8(bytes)) };
  if (before === undefined) return { ...described, change: "new" };
  const isMoved = before.path !== path || before.role !== role;
  const isSame = before.bytes.equals(bytes);
  if (isSame && !isMoved) return { ...described, change: "same" };
  const difference = [
    ...(isMoved ? ["@@ file @@", `- ${toPlace(before)}`, `+ ${toPlace(file)}`] : []),
    ...(isSame ? [] : toDifference(before.bytes, bytes)),
  ];
  return { ...described, change: "changed", difference: difference.join("\n") };
}

/** A link that leads to another file changes what a file can import. */
function toPlace({ role, path }: FileContent): string {
  return `${role} ${path}`;
}

/** From the first to the last changed line: the trusted lines, then those of now. */
function toDifference(before: Buffer, now: Buffer): string[] {
  const areUtf8 = isUtf8(before) && isUtf8(now);
  const [old, lines] = [toText(before, areUtf8).split("\n"), toText(now, areUtf8).split("\n")];
  const most = Math.min(old.length, lines.length);
  let start = 0;
  while (start < most && old[start] === lines[start]) start += 1;
  let same = 0;
  while (same < most - start && old.at(-1 - same) === lines.at(-1 - same)) same += 1;
  return [
    `@@ line ${start + 1} @@`,
    ...old.slice(start, old.length - same).map((line) => `- ${line}`),
    ...lines.slice(start, lines.length - same).map((line) => `+ ${line}`),
  ];
}

/** Bytes that are not UTF-8 all look the same when they are decoded as it, so each is shown as a character of its own. */
function toText(bytes: Buffer, areUtf8: boolean): string {
  return bytes.toString(areUtf8 ? "utf8" : "latin1");
}
