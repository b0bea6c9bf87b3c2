import type { CallToolResult } from "@modelcontextprotocol/server";

/** More than an agent's simultaneous calls. */
const MAX_KEPT = 64;

/** Results of calls whose connection was lost, kept for when the same call is made again. */
export class UndeliveredResults {
  /** Oldest first. Equal calls have a result each. */
  #results: { readonly call: string; readonly result: CallToolResult }[] = [];

  keep(call: string, result: CallToolResult): void {
    this.#results = [...this.#results, { call, result }].slice(-MAX_KEPT);
  }

  /** Returns each result once. */
  take(call: string): CallToolResult | undefined {
    const found = this.#results.find((kept) => kept.call === call);
    this.#results = this.#results.filter((kept) => kept !== found);
    return found?.result;
  }
}
