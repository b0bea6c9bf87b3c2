import { createHash } from "node:crypto";

import type { Tool } from "@holdpoint/engine";
import {
  type FolderTrust,
  inEnglish,
  saidOf,
  type Saying,
  saying,
  type Told,
  type ToolSummary,
} from "@holdpoint/protocol";

import { toLoadReason } from "../load-error.ts";
import type { ImportOwn } from "../trust/own-modules.ts";
import type { Snapshot, SnapshotFile } from "../trust/snapshot.ts";
import { UsageError } from "../usage-error.ts";
import { importTools } from "./tool-files.ts";

export interface ToolBoxOptions {
  /** Reads the tools that a config file defines itself. */
  readonly importConfigTools: (
    config: SnapshotFile,
    importOwn: ImportOwn,
  ) => Promise<readonly Tool[]>;
  /** Called with a file's problem, whenever the file has changed. */
  readonly onProblem: (source: string, problem: string) => void;
  /** Called with the changes of each load after the first one. */
  readonly onChange?: (changes: ToolChanges) => void;
}

export interface ToolChanges {
  /** Tools that are new, or whose file is. */
  readonly loaded: readonly { readonly name: string; readonly source: string }[];
  /** Names that no longer have a tool. */
  readonly gone: readonly string[];
}

/** One file as last loaded. A broken file keeps its previous tools. */
interface ToolSource {
  readonly name: string;
  readonly path: string;
  /** Changes whenever the file changes, or one that it imports. */
  readonly stamp: string;
  readonly tools: readonly Tool[];
  readonly problem?: Told;
}

/** A file that could not be loaded as a whole. */
export type ToolFailure = FolderTrust["failed"][number];

/** The person's own tools, from the config file and the files next to it. */
export class ToolBox {
  readonly #options: ToolBoxOptions;
  #sources: readonly ToolSource[] = [];
  #tools: readonly Tool[] = [];
  #summaries: readonly ToolSummary[] = [];
  #failures: readonly ToolFailure[] = [];
  /** Maps a tool's name to the path of its file. */
  #owners: ReadonlyMap<string, string> = new Map();
  #isFirst = true;

  constructor(options: ToolBoxOptions) {
    this.#options = options;
  }

  /** Every usable tool; the same array until something has changed. Names are unique. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** The source of each tool, and the problems of broken files. */
  get summaries(): readonly ToolSummary[] {
    return this.#summaries;
  }

  get failures(): readonly ToolFailure[] {
    return this.#failures;
  }

  /** Replaces all files by a snapshot's. Loads new and changed files; returns true if anything has changed. */
  async load(snapshot: Pick<Snapshot, "files">, importOwn: ImportOwn): Promise<boolean> {
    const before = new Map(this.#sources.map((source) => [source.path, source]));
    const sources: ToolSource[] = [];
    for (const file of snapshot.files) {
      if (file.role === "module") continue;
      const stamp = stampOf(file, snapshot);
      const known = before.get(file.path);
      const isKnown = known?.stamp === stamp;
      sources.push(isKnown ? known : await this.#refresh(file, { stamp, known, importOwn }));
    }
    const isSame =
      !this.#isFirst &&
      sources.length === before.size &&
      sources.every((source) => before.get(source.path) === source);
    if (isSame) return false;
    this.#take(sources, before);
    return true;
  }

  async #refresh(file: SnapshotFile, { stamp, known, importOwn }: Refresh): Promise<ToolSource> {
    const { name, path, role } = file;
    const imported =
      role === "config"
        ? this.#options.importConfigTools(file, importOwn)
        : importTools(path, importOwn);
    const loaded = await imported.then(
      (tools) => ({ tools }),
      (error: unknown) => ({ tools: known?.tools ?? [], problem: toProblem(error) }),
    );
    return { name, path, stamp, ...loaded };
  }

  #take(sources: readonly ToolSource[], before: ReadonlyMap<string, ToolSource>): void {
    const owners = findOwners(sources, this.#owners);
    const tools: Tool[] = [];
    const summaries: ToolSummary[] = [];
    const failures: ToolFailure[] = [];
    for (const file of sources) {
      const source = file.name;
      const problems = file.problem === undefined ? [] : [file.problem];
      const own = new Set<string>();
      for (const tool of file.tools) {
        const { name, description } = tool;
        const problem = own.has(name)
          ? saying("tool_twice", { name })
          : problemOfName(name, file, { sources, owner: owners.get(name) });
        own.add(name);
        if (problem !== undefined) {
          problems.push(problem);
          continue;
        }
        tools.push(tool);
        summaries.push({ name, description, source });
      }
      if (problems.length === 0) continue;
      const failure = toFailure(source, problems);
      const { error } = failure;
      failures.push(failure);
      summaries.push({ source, error });
      if (before.get(file.path) !== file) this.#options.onProblem(source, error);
    }
    const changes = changesBetween(this.#tools, tools, summaries);
    this.#sources = sources;
    this.#tools = tools;
    this.#summaries = summaries;
    this.#failures = failures;
    this.#owners = owners;
    const isNews = !this.#isFirst && changes.loaded.length + changes.gone.length > 0;
    this.#isFirst = false;
    if (isNews) this.#options.onChange?.(changes);
  }
}

/**
 * The file that owns each name: its previous owner, or else the only file that claims it. A name that several new files
 * claim has no owner, because the order of files must not decide which tool runs.
 */
function findOwners(
  sources: readonly ToolSource[],
  before: ReadonlyMap<string, string>,
): Map<string, string> {
  const claims = new Map<string, Set<string>>();
  for (const { path, tools } of sources) {
    for (const { name } of tools) {
      claims.set(name, (claims.get(name) ?? new Set<string>()).add(path));
    }
  }
  const owners = new Map<string, string>();
  for (const [name, paths] of claims) {
    const known = before.get(name);
    const [first] = paths;
    if (known !== undefined && paths.has(known)) owners.set(name, known);
    else if (first !== undefined && paths.size === 1) owners.set(name, first);
  }
  return owners;
}

function problemOfName(
  name: string,
  { path }: ToolSource,
  {
    sources,
    owner,
  }: { readonly sources: readonly ToolSource[]; readonly owner?: string | undefined },
): Saying | undefined {
  if (owner === path) return undefined;
  const others = sources.filter(
    (file) => file.path !== path && file.tools.some((tool) => tool.name === name),
  );
  const has = (file: ToolSource): boolean => owner === undefined || file.path === owner;
  const files = others
    .filter(has)
    .map((file) => file.name)
    .join(", ");
  return saying(owner === undefined ? "tool_claimed" : "tool_elsewhere", { name, files });
}

function toProblem(error: unknown): Told {
  return error instanceof UsageError ? error.told : toLoadReason(error);
}

/** In any language only if all of it is the gateway's own text. */
function toFailure(source: string, problems: readonly Told[]): ToolFailure {
  const error = problems.map(inEnglish).join(" ");
  const own = problems.flatMap((told) => (typeof told === "string" ? [] : told));
  const isOwn = problems.every((told) => typeof told !== "string");
  return { source, error, ...(isOwn && saidOf({ error: own })) };
}

function changesBetween(
  before: readonly Tool[],
  now: readonly Tool[],
  summaries: readonly ToolSummary[],
): ToolChanges {
  const kept = new Set(before);
  const names = new Set(now.map(({ name }) => name));
  const sources = new Map(summaries.map(({ name, source }) => [name, source]));
  return {
    loaded: now
      .filter((tool) => !kept.has(tool))
      .map(({ name }) => ({ name, source: sources.get(name) ?? "" })),
    gone: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
  };
}

interface Refresh {
  readonly stamp: string;
  readonly known: ToolSource | undefined;
  readonly importOwn: ImportOwn;
}

function stampOf(file: SnapshotFile, snapshot: Pick<Snapshot, "files">): string {
  const byPath = new Map(snapshot.files.map((one) => [one.path, one]));
  const hash = createHash("sha256");
  const files = new Set([file]);
  // The loop also visits files that it adds to the set.
  for (const { path, bytes, imports } of files) {
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    for (const imported of imports) {
      const found = byPath.get(imported);
      if (found) files.add(found);
    }
  }
  return hash.digest("hex");
}
