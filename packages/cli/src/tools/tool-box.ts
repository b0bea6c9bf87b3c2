import { basename, relative } from "node:path";

import type { Tool } from "@holdpoint/engine";
import type { ToolSummary } from "@holdpoint/protocol";

import { toLoadReason } from "../load-error.ts";
import { filesOf } from "./own-modules.ts";
import { importTools, listToolFiles, stampOf } from "./tool-files.ts";

export interface ToolBoxOptions {
  /** The folder that the config file is in; tool files are in its folder `tools`. */
  readonly folder: string;
  /** The config file, which may name tools as well. */
  readonly configPath: string;
  /** What it had at the start. */
  readonly configTools: readonly Tool[];
  /** Reads the config file's tools again. */
  readonly importConfigTools: (version: number) => Promise<readonly Tool[]>;
  /** Told what is wrong with a file, whenever it has changed. */
  readonly onProblem: (source: string, problem: string) => void;
}

/** One file as it was loaded last. A file that breaks keeps the tools that it had. */
interface ToolSource {
  readonly path: string;
  readonly stamp: string;
  readonly tools: readonly Tool[];
  readonly error?: string;
}

/** The person's own tools, from the config file and the files beside it. */
export class ToolBox {
  readonly #options: ToolBoxOptions;
  #sources: readonly ToolSource[] = [];
  #version = 0;
  #tools: readonly Tool[] = [];
  #summaries: readonly ToolSummary[] = [];

  constructor(options: ToolBoxOptions) {
    this.#options = options;
  }

  get configPath(): string {
    return this.#options.configPath;
  }

  /** Every tool that can be used; the same array until something has changed. No two have the same name. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Every file whose change is a change of the tools, as far as they are loaded. */
  get files(): ReadonlySet<string> {
    return new Set(this.#sources.flatMap(({ path }) => [...filesOf(path)]));
  }

  /** Where each tool comes from, and what is wrong with the files that have none. */
  get summaries(): readonly ToolSummary[] {
    return this.#summaries;
  }

  /** Loads what is new or has changed. True when it changed anything. Never rejects for a broken file. */
  async load(): Promise<boolean> {
    const { configPath, folder } = this.#options;
    const before = new Map(this.#sources.map((source) => [source.path, source]));
    const paths = [configPath, ...(await listToolFiles(`${folder}/tools`))];
    const sources: ToolSource[] = [];
    for (const path of paths) sources.push(await this.#refresh(path, before.get(path)));
    const isSame =
      sources.length === before.size &&
      sources.every((source) => before.get(source.path) === source);
    if (isSame) return false;
    this.#take(sources, before);
    return true;
  }

  async #refresh(path: string, known: ToolSource | undefined): Promise<ToolSource> {
    const stamp = await stampOf(path);
    if (known && known.stamp === stamp) return known;
    const fileCount = filesOf(path).size;
    const loaded = await this.#import(path, known !== undefined).then(
      (tools) => ({ tools }),
      (error: unknown) => ({ tools: known?.tools ?? [], error: toLoadReason(error) }),
    );
    // What it imports may be known only now.
    const isWhole = filesOf(path).size === fileCount;
    return { path, stamp: isWhole ? stamp : await stampOf(path), ...loaded };
  }

  async #import(path: string, isKnown: boolean): Promise<readonly Tool[]> {
    const { configPath, configTools, importConfigTools } = this.#options;
    if (path === configPath && !isKnown) return configTools;
    if (isKnown) this.#version += 1;
    return path === configPath
      ? importConfigTools(this.#version)
      : importTools(path, this.#version);
  }

  #take(sources: readonly ToolSource[], before: ReadonlyMap<string, ToolSource>): void {
    const owners = new Map<string, string>();
    const tools: Tool[] = [];
    const summaries: ToolSummary[] = [];
    for (const file of sources) {
      const source = this.#nameOf(file.path);
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

  #nameOf(path: string): string {
    const { configPath, folder } = this.#options;
    return path === configPath ? basename(path) : relative(folder, path);
  }
}
