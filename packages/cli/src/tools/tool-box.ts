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
  async load(snapshot: Snapshot, importOwn: ImportOwn): Promise<boolean> {
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
    const owners = new Map<string, string>();
    const tools: Tool[] = [];
    const summaries: ToolSummary[] = [];
    for (const file of sources) {
      const source = file.name;
      const problems = file.error === undefined ? [] : [file.error];
      for (const tool of file.tools) {
        const owner = owners.get(tool.name);
        if (owner !== undefined) {
          problems.push(`There is a tool ${tool.name} in ${owner} already.`);
          continue;
        }
        owners.set(tool.name, source);
        tools.push(tool);
        summaries.push({ name: tool.name, description: tool.description, source });
      }
      const error = problems.join(" ");
      if (error === "") continue;
      summaries.push({ source, error });
      if (before.get(file.path) !== file) this.#options.onProblem(source, error);
    }
    this.#sources = sources;
    this.#tools = tools;
    this.#summaries = summaries;
  }
}

interface Refresh {
  readonly stamp: string;
  readonly known: ToolSource | undefined;
  readonly importOwn: ImportOwn;
}

function stampOf(file: SnapshotFile, snapshot: Snapshot): string {
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
