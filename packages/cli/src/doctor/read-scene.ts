import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

import { StoreError } from "@holdpoint/engine";
import type { PostgresReport } from "@holdpoint/store-postgres";
import { checkStore, DATA_FILES, type StoreReport } from "@holdpoint/store-sqlite";

import type { Settings } from "../config/settings.ts";
import { askGateway } from "../control/ask-gateway.ts";
import type { GatewayStatus } from "../control/control-message.ts";
import { controlPath } from "../control/control-path.ts";
import type { Environment } from "../environment.ts";
import { reasonOf } from "./words.ts";

export interface DoctorOptions {
  readonly settings: Settings;
  readonly env: Environment;
  /** The wall clock's time. */
  readonly nowMs: number;
  readonly startDirectory: string;
  /** Folder of the person's own settings. */
  readonly configDir: string;
  /** The problem with that folder's config file, if there is one. */
  readonly configProblem: string | undefined;
  /** Files that a whole installation has. */
  readonly packageFiles: readonly string[];
  /** The config file that the person has named. */
  readonly named: string | undefined;
}

/**
 * The state of a data folder:
 *
 * - `missing`: the first start creates it.
 * - `foreign`: it contains other files.
 * - `ours`: a gateway has used it, or it is empty.
 */
export type FolderState =
  | { readonly is: "missing" }
  | { readonly is: "ours"; readonly names: readonly string[] }
  | { readonly is: "foreign" | "unreadable" | "no_folder"; readonly reason: string };

/** How the gateway of the data folder answers the command line. */
export type GatewayState =
  | { readonly is: "running"; readonly status: GatewayStatus }
  | { readonly is: "none" }
  /** Its socket exists, but no gateway. */
  | { readonly is: "gone" }
  | { readonly is: "silent" | "unreachable" | "other_version"; readonly reason: string };

/** The shared input of all checks. */
export interface Scene extends DoctorOptions {
  readonly folder: FolderState;
  /** `undefined` if there is no store, or if it could not be checked. */
  readonly store: StoreReport | undefined;
  /** The report of a Postgres store. */
  readonly postgres: PostgresReport | undefined;
  /** Why the store could not be checked. */
  readonly storeProblem: string | undefined;
  readonly gateway: GatewayState;
}

/** Inspects the data folder and the gateway that may be using it. Changes nothing. */
export async function readScene(options: DoctorOptions): Promise<Scene> {
  const { dataDir } = options.settings;
  const folder = await lookAtFolder(dataDir);
  const looked = await lookAtChosen(options.settings, folder);
  const isInUse = looked.store?.isInUse ?? looked.postgres?.isInUse;
  const gateway =
    folder.is === "ours" ? await lookAtGateway(dataDir, isInUse) : { is: "none" as const };
  return { ...options, folder, ...looked, gateway };
}

type Looked = Pick<Scene, "store" | "postgres" | "storeProblem">;

async function lookAtChosen(
  { dataDir, store: url }: Settings,
  folder: FolderState,
): Promise<Looked> {
  const nothing = { store: undefined, postgres: undefined, storeProblem: undefined };
  if (url === undefined) {
    return folder.is === "ours" ? { ...nothing, ...(await lookAtStore(dataDir)) } : nothing;
  }
  try {
    const { checkPostgresStore } = await import("@holdpoint/store-postgres");
    return { ...nothing, postgres: await checkPostgresStore(url) };
  } catch (error: unknown) {
    // The store's own messages contain no password; of any other error, only the code is used.
    const isOwn = StoreError.isInstance(error);
    return {
      ...nothing,
      storeProblem: isOwn ? error.message.replace(/\.$/u, "") : reasonOf(error),
    };
  }
}

async function lookAtFolder(dataDir: string): Promise<FolderState> {
  try {
    const names = (await readdir(dataDir)).filter((name) => name !== "lost+found");
    const isOurs = names.length === 0 || names.some((name) => DATA_FILES.includes(name));
    return isOurs ? { is: "ours", names } : { is: "foreign", reason: "it holds other files" };
  } catch (error: unknown) {
    const reason = reasonOf(error);
    if (reason === "ENOENT") return { is: "missing" };
    return { is: reason === "ENOTDIR" ? "no_folder" : "unreadable", reason };
  }
}

async function lookAtStore(dataDir: string): Promise<Pick<Scene, "store" | "storeProblem">> {
  // Reading anything other than a plain file, such as a pipe, might never end.
  for (const name of DATA_FILES) {
    const entry = await lstat(join(dataDir, name)).catch(() => undefined);
    if (entry && !entry.isFile()) {
      return { store: undefined, storeProblem: `${join(dataDir, name)} is not a file` };
    }
  }
  try {
    return { store: checkStore(dataDir, { thorough: false }), storeProblem: undefined };
  } catch (error: unknown) {
    return { store: undefined, storeProblem: `it cannot be read (${reasonOf(error)})` };
  }
}

async function lookAtGateway(dataDir: string, isInUse = false): Promise<GatewayState> {
  try {
    return { is: "running", status: await askGateway(dataDir, { command: "status" }) };
  } catch (error: unknown) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause === undefined) return { is: "other_version", reason: reasonOf(error) };
    const reason = reasonOf(cause);
    const isThere = await lstat(controlPath(dataDir)).catch(() => undefined);
    if (!isInUse) return { is: isThere ? "gone" : "none" };
    const isClosed = ["ENOENT", "ECONNREFUSED", "EACCES", "EINVAL"].includes(reason);
    return { is: isClosed ? "unreachable" : "silent", reason };
  }
}
