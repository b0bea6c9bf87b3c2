import { realpath } from "node:fs/promises";
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
  emptySnapshot,
  type FileContent,
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

export interface CodeReports {
  /** Lists trusted files that could not be loaded. */
  readonly listFailed: () => FolderTrust["failed"];
  /** Called after each yes, once it is kept for the next start. */
  readonly onTrusted: (snapshot: Snapshot, needsStart: readonly string[]) => void;
}

const NO_REPORTS: CodeReports = { listFailed: () => [], onTrusted: () => undefined };

/** The folder that the gateway was started in. Only content that a person has trusted is loaded. */
export class TrustedFolder implements FolderTrustPort {
  readonly #options: TrustedFolderOptions;
  #loaded: OwnCode | undefined;
  /** The files of the last yes, which may be older than this process. */
  #trusted: readonly FileContent[] = [];
  #apply: ApplyCode = async () => [];
  #reports = NO_REPORTS;
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
  applyWith(apply: ApplyCode, reports: CodeReports = NO_REPORTS): void {
    this.#apply = apply;
    this.#reports = reports;
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
    const { trustFile } = this.#options;
    if (snapshot && (await trustFile?.isTrusted(snapshot.folder, snapshot.hash))) {
      return this.#load(snapshot);
    }
    const folder = await realpath(this.#options.folder).catch(() => undefined);
    if (folder !== undefined) this.#trusted = (await trustFile?.readTrusted(folder)) ?? [];
    return undefined;
  }

  async read(): Promise<FolderTrust> {
    const { snapshot, problem } = await this.#look();
    const offer = snapshot && this.#offerOf(snapshot);
    return {
      path: snapshot?.folder ?? this.#options.folder,
      loaded: this.#hasLoaded,
      watched: this.#options.watched,
      ...(problem && { problem: inEnglish(problem), ...saidOf({ problem }) }),
      ...(offer && { offer }),
      needsStart: [...this.#needsStart],
      failed: this.#reports.listFailed(),
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
    const { problem, said } = describeOffer(snapshot, [], this.#options.describeConfig);
    if (problem !== undefined) throw refusal("INVALID_REQUEST", said?.["problem"] ?? problem);
    const before = { loaded: this.#loaded, trusted: this.#trusted };
    try {
      this.#needsStart = await this.#apply(this.#load(snapshot));
    } catch (error: unknown) {
      this.#loaded = before.loaded;
      this.#trusted = before.trusted;
      throw error;
    }
    await this.#options.trustFile?.trust(snapshot);
    this.#reports.onTrusted(snapshot, this.#needsStart);
  }

  #load(snapshot: Snapshot): OwnCode {
    const { folder, files } = snapshot;
    const bytes = new Map(files.map((file) => [file.path, file.bytes]));
    this.#loaded = { snapshot, importOwn: serveOwnModules({ folder, bytes }) };
    this.#trusted = files;
    return this.#loaded;
  }

  get #hasLoaded(): boolean {
    return (this.#loaded?.snapshot.files.length ?? 0) > 0;
  }

  /** The current content, unless it cannot be loaded or are not meant for the gateway. */
  async #look(): Promise<{ readonly snapshot?: Snapshot; readonly problem?: Saying }> {
    try {
      const snapshot = await readSnapshot(this.#options);
      this.#seen = snapshot;
      // Files that are loaded and gone from the folder are asked about like any other change.
      if (this.#hasLoaded) return withProblem(snapshot ?? (await emptySnapshot(this.place.folder)));
      return snapshot && isMeantForGateway(snapshot) ? withProblem(snapshot) : {};
    } catch (error: unknown) {
      if (error instanceof SnapshotError) return { problem: error.said };
      throw error;
    }
  }

  #offerOf(snapshot: Snapshot): FolderOffer | undefined {
    if (snapshot.hash === this.#loaded?.snapshot.hash) return undefined;
    return describeOffer(snapshot, this.#trusted, this.#options.describeConfig);
  }
}

function withProblem(snapshot: Snapshot): { snapshot: Snapshot } | { problem: Saying } {
  const problem = refuseOffer(snapshot);
  return problem === undefined ? { snapshot } : { problem };
}
