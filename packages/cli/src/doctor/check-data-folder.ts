import { access, constants, lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { inEnglish } from "@holdpoint/protocol";

import { refuseCwd } from "../compose/refuse-cwd.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { reasonOf } from "./words.ts";

const CHOOSE_ANOTHER = "Choose another one with --data-dir.";

/** Checks whether the data folder exists, is a gateway's, and belongs to its user alone. */
export async function checkDataFolder(scene: Scene): Promise<Finding[]> {
  const findings = new Findings("Data folder");
  const { folder, settings } = scene;
  const path = settings.dataDir;
  switch (folder.is) {
    case "missing":
      await checkParent(findings, path);
      break;
    case "foreign":
      findings.problem(
        `${path} is not a data folder: ${folder.reason}.`,
        "Name an empty one, or one that does not exist yet, with --data-dir.",
        { path },
      );
      break;
    case "no_folder":
      findings.problem(`${path} is not a folder.`, CHOOSE_ANOTHER, { path });
      break;
    case "unreadable":
      findings.problem(
        `${path} cannot be read (${folder.reason}).`,
        `Make it readable for this user, or choose another one with --data-dir.`,
        { path },
      );
      break;
    case "ours":
      await checkOwn(findings, scene, [".", ...folder.names]);
  }
  return findings.list;
}

/** Checks whether the first start can create the folder. */
async function checkParent(findings: Findings, path: string): Promise<void> {
  let parent = dirname(path);
  while (parent !== dirname(parent) && (await reasonAgainst(parent, constants.F_OK)) === "ENOENT") {
    parent = dirname(parent);
  }
  const reason = await reasonAgainst(parent, constants.W_OK);
  if (reason === undefined) {
    findings.ok(`${path}: does not exist yet; the first start creates it`, { path, modes: {} });
  } else {
    findings.problem(
      `${path} cannot be created: ${parent} cannot be written to (${reason}).`,
      CHOOSE_ANOTHER,
      { path },
    );
  }
}

async function checkOwn(
  findings: Findings,
  { settings: { dataDir, cwd } }: Scene,
  names: readonly string[],
): Promise<void> {
  const modes: Record<string, string> = {};
  const found = new Findings("Data folder");
  for (const name of names) {
    const path = name === "." ? dataDir : join(dataDir, name);
    const entry = await lstat(path).catch(() => undefined);
    if (entry === undefined) continue; // removed in the meantime
    modes[name] = (entry.mode & 0o777).toString(8).padStart(4, "0");
    if (process.platform === "win32") continue;
    if (entry.uid !== process.getuid?.()) {
      found.problem(
        `${path} belongs to another user.`,
        "Run the gateway as that user, or chown it.",
      );
    }
    if ((entry.mode & 0o077) !== 0) {
      found.problem(`${path} is open to other users.`, "Run chmod go= on it.");
    }
  }
  findings.ok(dataDir, { path: dataDir, modes });
  findings.list.push(...found.list);
  const reason = await reasonAgainst(dataDir, constants.W_OK);
  if (reason !== undefined) {
    findings.problem(
      `${dataDir} cannot be written to (${reason}), so no gateway can use it.`,
      "Make it writable for this user.",
    );
  }
  const unusable = await refuseCwd(cwd, dataDir);
  if (unusable !== undefined) {
    findings.problem(`${cwd}: ${inEnglish(unusable)}`, "Choose another with --cwd.");
  }
}

async function reasonAgainst(path: string, mode: number): Promise<string | undefined> {
  return access(path, mode).then(() => undefined, reasonOf);
}
