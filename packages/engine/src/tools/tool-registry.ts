import { compileTool, type CompiledTool } from "./define-tool.ts";
import type { JsonSchema } from "./tool-parameters.ts";

/** A tool as agents see it. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The tool's own statement that it changes nothing. */
  readonly readOnly: boolean;
}

/** The tools that the gateway offers. Running calls keep the tool that they began with. */
export class ToolRegistry {
  readonly #builtIn: readonly CompiledTool[];
  #tools: ReadonlyMap<string, CompiledTool>;
  #infos: readonly ToolInfo[];

  /** Throws `TypeError` for a tool that cannot be used. */
  constructor(builtIn: readonly unknown[], tools: readonly unknown[]) {
    this.#builtIn = builtIn.map(compileTool);
    this.#tools = this.#compile(tools);
    this.#infos = describe(this.#tools);
  }

  /** The same array until the tools are replaced. */
  list(): readonly ToolInfo[] {
    return this.#infos;
  }

  get(name: string): CompiledTool | undefined {
    return this.#tools.get(name);
  }

  /**
   * Replaces all tools or, if one cannot be used, throws `TypeError` and replaces none. Built-in tools stay, unless a
   * new one has the same name.
   */
  replace(tools: readonly unknown[]): void {
    this.#tools = this.#compile(tools);
    this.#infos = describe(this.#tools);
  }

  #compile(tools: readonly unknown[]): Map<string, CompiledTool> {
    const compiled = tools.map(compileTool);
    const names = compiled.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) throw new TypeError(`Two tools have the name ${twice}.`);
    return new Map([...this.#builtIn, ...compiled].map((tool) => [tool.name, tool]));
  }
}

function describe(tools: ReadonlyMap<string, CompiledTool>): readonly ToolInfo[] {
  return [...tools.values()].map(({ name, description, inputSchema, readOnly }) => ({
    name,
    description,
    inputSchema,
    readOnly,
  }));
}
