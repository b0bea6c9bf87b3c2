import { createHash } from "node:crypto";

import type { Tool } from "@holdpoint/engine";
import type { ToolSummary } from "@holdpoint/protocol";

import { toLoadReason } from "../load-error.ts";
import type { ImportOwn } from "../trust/own-modules.ts";
import type { Snapshot, SnapshotFile } from "../trust/snapshot.ts";
import { importTools } from "./tool-files.ts";

export interface ToolBoxOptions {
  /** Reads the tools of a config file, which may name some as well. */
  readonly importConfigTools: (
    config: SnapshotFile,
    importOwn: ImportOwn,
  ) => Promise<readonly Tool[]>;
  /** Told what is wrong with a file, whenever it has changed. */
  readonly onProblem: (source: string, problem: string) => void;
  /** Told what a load has changed, after the first one. */
  readonly onChange?: (changes: ToolChanges) => void;
}

/** What is another than before. */
export interface ToolChanges {
  /** Tools that are new, or of a file that is. */
  readonly loaded: readonly { readonly name: string; readonly source: string }[];
  /** Names that no tool has any more. */
  readonly gone: readonly string[];
}

/** One file as it was loaded last. A file that breaks keeps the tools that it had. */
interface ToolSource {
  readonly name: string;
  readonly path: string;
  /** Changes whenever the file does, or one that it imports. */
  readonly stamp: string;
  readonly tools: readonly Tool[];
  readonly error?: string;
}

/** The person's own tools, from the config file and the files beside it. */
export class ToolBox {
  readonly #options: ToolBoxOptions;
  #sources: readonly ToolSource[] = [];
  #tools: readonly Tool[] = [];
  #summaries: readonly ToolSummary[] = [];
  /** Name of a tool → path of the file that has it. */
  #owners: ReadonlyMap<string, string> = new Map();
  #isFirst = true;

  constructor(options: ToolBoxOptions) {
    this.#options = options;
  }

  /** Every tool that can be used; the same array until something has changed. No two have the same name. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Where each tool comes from, and what is wrong with the files that have none. */
  get summaries(): readonly ToolSummary[] {
    return this.#summaries;
  }

  /** Takes the files of a snapshot instead of those before. Loads what is new or has changed; true when anything has. */
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
      (error: unknown) => ({ tools: known?.tools ?? [], error: toLoadReason(error) }),
    );
    return { name, path, stamp, ...loaded };
  }

  #take(sources: readonly ToolSource[], before: ReadonlyMap<string, ToolSource>): void {
    const owners = findOwners(sources, this.#owners);
    const tools: Tool[] = [];
    const summaries: ToolSummary[] = [];
    for (const file of sources) {
      const source = file.name;
      const problems = file.error === undefined ? [] : [file.error];
      const own = new Set<string>();
      for (const tool of file.tools) {
        const { name, description } = tool;
        const problem = own.has(name)
          ? `It has two tools ${name}.`
          : problemOfName(name, file, { sources, owner: owners.get(name) });
        own.add(name);
        if (problem !== undefined) {
          problems.push(problem);
          continue;
        }
        tools.push(tool);
        summaries.push({ name, description, source });
      }
      const error = problems.join(" ");
      if (error === "") continue;
      summaries.push({ source, error });
      if (before.get(file.path) !== file) this.#options.onProblem(source, error);
    }
    const changes = changesBetween(this.#tools, tools, summaries);
    this.#sources = sources;
    this.#tools = tools;
    this.#summaries = summaries;
    this.#owners = owners;
    const isNews = !this.#isFirst && changes.loaded.length + changes.gone.length > 0;
    this.#isFirst = false;
    if (isNews) this.#options.onChange?.(changes);
  }
}

/**
 * Whose each name is: of the file that had it before, else of the only one that claims it. A name that several new files
 * claim is nobody's: the order of files must not decide what runs.
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
): string | undefined {
  if (owner === path) return undefined;
  const others = sources.filter(
    (file) => file.path !== path && file.tools.some((tool) => tool.name === name),
  );
  const has = (file: ToolSource): boolean => owner === undefined || file.path === owner;
  const where = others.filter(has).map((file) => file.name);
  return owner === undefined
    ? `There is a tool ${name} in ${where.join(" and ")} as well: neither is used.`
    : `There is a tool ${name} in ${where.join()} already.`;
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
  // A set that grows is walked to its end.
  for (const { path, bytes, imports } of files) {
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    for (const imported of imports) {
      const found = byPath.get(imported);
      if (found) files.add(found);
    }
  }
  return hash.digest("hex");
}
