import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { inEnglish, parseExactJson, saidOf, saying } from "@holdpoint/protocol";

import {
  type ConfigFile,
  type ConfigOwner,
  parseConfig,
  readConfigFile,
} from "../config/config-file.ts";
import { toLoadReason } from "../load-error.ts";
import type { ConfigEffect } from "../trust/describe-offer.ts";
import type { KeyPrompt } from "../trust/key-prompt.ts";
import { OfferNotice } from "../trust/offer-notice.ts";
import { SnapshotError, type SnapshotFile } from "../trust/snapshot.ts";
import { TrustFile } from "../trust/trust-file.ts";
import { type OwnCode, TrustedFolder } from "../trust/trusted-folder.ts";
import { UsageError } from "../usage-error.ts";
import type { GatewaySecret } from "./gateway-secret.ts";

/** Name of the trust file in the data folder. */
export const TRUST_FILE = "trust.json";

/** The folder of the config file and the tools, with their trust state. */
export interface OwnFolder {
  readonly trusted: TrustedFolder;
  /** Who wrote its config file. */
  readonly owner: ConfigOwner;
  /** The config file's content at the start; empty if it is not loaded. */
  readonly file: ConfigFile;
  readonly notice: OfferNotice;
}

interface OpenFolderOptions {
  readonly startDirectory: string;
  readonly userFile: ConfigFile;
  readonly watch: boolean;
  /** The gateway's own prompt, if a person can press a key there. */
  readonly prompt?: KeyPrompt | undefined;
  readonly say: (line: string) => void;
}

/**
 * Opens the folder of a config file that a person has named, and loads its current content. Rejects with `UsageError`.
 */
export async function openNamedFolder(
  named: string,
  { startDirectory, userFile, watch, prompt, say }: OpenFolderOptions,
): Promise<OwnFolder> {
  const configPath = resolve(startDirectory, named);
  const isFile = await stat(configPath).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`There is no config file ${configPath}.`);
  const owner: ConfigOwner = { kind: "person" };
  const trusted = new TrustedFolder({
    folder: dirname(configPath),
    configPath,
    watched: watch,
    describeConfig: (config) => describeConfig(config, owner, userFile),
  });
  const code = await trusted.trustAsNamed().catch((error: unknown) => {
    if (!(error instanceof SnapshotError)) throw error;
    throw new UsageError(`${configPath} cannot be loaded. ${error.message}`, { cause: error });
  });
  const file = code === undefined ? {} : await readOwnConfig(code, owner);
  return { trusted, owner, file, notice: new OfferNotice({ folder: trusted, prompt, say }) };
}

interface StartFolderOptions extends OpenFolderOptions {
  readonly dataDir: string;
  readonly secret: GatewaySecret;
  readonly userConfigPath: string;
}

/**
 * Opens the folder that the gateway was started in. Loads its content if a person has trusted exactly that before. Rejects
 * with `UsageError`.
 */
export async function openStartFolder(options: StartFolderOptions): Promise<OwnFolder> {
  const { startDirectory, dataDir, secret, userConfigPath, userFile, ...rest } = options;
  const owner: ConfigOwner = { kind: "directory", userConfigPath };
  const trusted = new TrustedFolder({
    folder: startDirectory,
    trustFile: new TrustFile(join(dataDir, TRUST_FILE), secret.derive("trust")),
    watched: rest.watch,
    describeConfig: (config) => describeConfig(config, owner, userFile),
  });
  const notice = new OfferNotice({ folder: trusted, ...rest });
  const isLoaded = (await trusted.loadTrusted()) !== undefined;
  // A question in the terminal follows when the gateway serves.
  if (!isLoaded && rest.prompt === undefined) await notice.tell();
  const { code } = trusted;
  const file = code === undefined ? {} : await readOwnConfig(code, owner);
  return { trusted, owner, file, notice };
}

/** The content of the folder's config file, once it is trusted. Rejects with `UsageError`. */
export async function readOwnConfig(
  { snapshot, importOwn }: OwnCode,
  owner: ConfigOwner,
): Promise<ConfigFile> {
  const config = snapshot.files.find(({ role }) => role === "config");
  return config === undefined ? {} : readConfigFile(config, importOwn, owner);
}

/** Names of the settings that differ between two config files, except tools, which can be replaced at any time. */
export function changedSettings(before: ConfigFile, after: ConfigFile): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ConfigFile>;
  keys.delete("tools");
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

function describeConfig(
  { path, bytes }: SnapshotFile,
  owner: ConfigOwner,
  before: ConfigFile,
): ConfigEffect {
  if (!path.endsWith(".json")) return { settings: [] };
  try {
    const file = parseConfig(path, parseExactJson(bytes.toString().trim() || "{}"), owner);
    const names = changedSettings(before, { ...before, ...file });
    return {
      settings: names.map((name) => describeSetting(name as keyof ConfigFile, before, file)),
    };
  } catch (error: unknown) {
    const problem =
      error instanceof UsageError
        ? error.told
        : saying("config_unreadable", { path, why: toLoadReason(error) });
    return { settings: [], problem: inEnglish(problem), ...saidOf({ problem }) };
  }
}

function describeSetting(
  name: keyof ConfigFile,
  before: ConfigFile,
  file: ConfigFile,
): ConfigEffect["settings"][number] {
  const now = before[name];
  return {
    name,
    ...(now !== undefined && { now: JSON.stringify(now) }),
    value: JSON.stringify(file[name]),
  };
}
