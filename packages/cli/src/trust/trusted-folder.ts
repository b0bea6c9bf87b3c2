import { basename } from "node:path";

import type { FolderTrustPort } from "@holdpoint/engine";
import {
  type FolderOffer,
  type FolderTrust,
  inEnglish,
  refusal,
  saidOf,
  type Saying,
  saying,
} from "@holdpoint/protocol";

import { type ConfigEffect, describeOffer, refuseOffer } from "./describe-offer.ts";
import { CONFIG_NAMES } from "./guarded-paths.ts";
import { type ImportOwn, serveOwnModules } from "./own-modules.ts";
import {
  isMeantForGateway,
  readSnapshot,
  type Snapshot,
  SnapshotError,
  type SnapshotFile,
} from "./snapshot.ts";
import type { TrustFile } from "./trust-file.ts";

/** Files that a person has trusted, and the function that imports them. */
export interface OwnCode {
  readonly snapshot: Snapshot;
  readonly importOwn: ImportOwn;
}

export interface TrustedFolderOptions {
  readonly folder: string;
  /** The config file that the person has named for this start. */
  readonly configPath?: string | undefined;
  /** Absent if the person names the config file at each start. */
  readonly trustFile?: TrustFile | undefined;
  readonly watched: boolean;
  readonly describeConfig: (config: SnapshotFile) => ConfigEffect;
}

/** Applies trusted files; resolves to the names of settings that take effect only at the next start. */
export type ApplyCode = (code: OwnCode) => Promise<readonly string[]>;

/** The folder that the gateway was started in. Only content that a person has trusted is loaded. */
export class TrustedFolder implements FolderTrustPort {
  readonly #options: TrustedFolderOptions;
  #loaded: OwnCode | undefined;
  #apply: ApplyCode = async () => [];
  #needsStart: readonly string[] = [];
  #seen: Snapshot | undefined;
  #changes: Promise<unknown> = Promise.resolve();

  constructor(options: TrustedFolderOptions) {
    this.#options = options;
  }

  /** The loaded code; absent until something is trusted. */
  get code(): OwnCode | undefined {
    return this.#loaded;
  }

  /** The folder to watch, and possible names of its config file. */
  get place(): { readonly folder: string; readonly configNames: readonly string[] } {
    const { folder, configPath } = this.#options;
    return {
      folder,
      configNames: configPath === undefined ? CONFIG_NAMES : [basename(configPath)],
    };
  }

  /** Real paths of the loaded files, and of the files that would be loaded as of the last check of the folder. */
  get paths(): ReadonlySet<string> {
    const files = [this.#loaded?.snapshot, this.#seen].flatMap((snapshot) => snapshot?.files ?? []);
    return new Set(files.map(({ path }) => path));
  }

  /** Sets the function that applies files trusted from here on. Files loaded before are applied by the caller. */
  applyWith(apply: ApplyCode): void {
    this.#apply = apply;
  }

  /**
   * Loads the current content: naming a config file on the command line counts as a yes to it. Rejects with
   * `SnapshotError`.
   */
  async trustAsNamed(): Promise<OwnCode | undefined> {
    const snapshot = await readSnapshot(this.#options);
    return snapshot === undefined ? undefined : this.#load(snapshot);
  }

  /** Loads the current content if a person has trusted exactly that before. */
  async loadTrusted(): Promise<OwnCode | undefined> {
    const { snapshot } = await this.#look();
    if (snapshot === undefined) return undefined;
    const { folder, hash } = snapshot;
    const isTrusted = (await this.#options.trustFile?.isTrusted(folder, hash)) === true;
    return isTrusted ? this.#load(snapshot) : undefined;
  }

  async read(): Promise<FolderTrust> {
    const { snapshot, problem } = await this.#look();
    const offer = snapshot && this.#offerOf(snapshot);
    return {
      path: snapshot?.folder ?? this.#options.folder,
      loaded: this.#loaded !== undefined,
      watched: this.#options.watched,
      ...(problem && { problem: inEnglish(problem), ...saidOf({ problem }) }),
      ...(offer && { offer }),
      needsStart: [...this.#needsStart],
    };
  }

  async trust(seen: { readonly path: string; readonly hash: string }): Promise<FolderTrust> {
    const done = this.#changes.then(() => this.#trust(seen));
    this.#changes = done.catch(() => undefined);
    await done;
    return this.read();
  }

  async #trust({ path, hash }: { readonly path: string; readonly hash: string }): Promise<void> {
    const { snapshot } = await this.#look();
    if (snapshot === undefined || snapshot.folder !== path || snapshot.hash !== hash) {
      throw refusal("DIGEST_MISMATCH", saying("files_changed"));
    }
    if (this.#loaded?.snapshot.hash === hash) return;
    const { problem, said } = describeOffer(snapshot, undefined, this.#options.describeConfig);
    if (problem !== undefined) throw refusal("INVALID_REQUEST", said?.["problem"] ?? problem);
    const before = this.#loaded;
    try {
      this.#needsStart = await this.#apply(this.#load(snapshot));
    } catch (error: unknown) {
      this.#loaded = before;
      throw error;
    }
    await this.#options.trustFile?.trust(snapshot.folder, hash);
  }

  #load(snapshot: Snapshot): OwnCode {
    const { folder, files } = snapshot;
    const bytes = new Map(files.map((file) => [file.path, file.bytes]));
    this.#loaded = { snapshot, importOwn: serveOwnModules({ folder, bytes }) };
    return this.#loaded;
  }

  /** The current content, unless it cannot be loaded or is not meant for the gateway. */
  async #look(): Promise<{ readonly snapshot?: Snapshot; readonly problem?: Saying }> {
    try {
      const snapshot = await readSnapshot(this.#options);
      this.#seen = snapshot;
      if (snapshot === undefined || !isMeantForGateway(snapshot)) return {};
      const problem = refuseOffer(snapshot);
      return problem === undefined ? { snapshot } : { problem };
    } catch (error: unknown) {
      if (error instanceof SnapshotError) return { problem: error.said };
      throw error;
    }
  }

  #offerOf(snapshot: Snapshot): FolderOffer | undefined {
    const loaded = this.#loaded?.snapshot;
    if (snapshot.hash === loaded?.hash) return undefined;
    return describeOffer(snapshot, loaded, this.#options.describeConfig);
  }
}
