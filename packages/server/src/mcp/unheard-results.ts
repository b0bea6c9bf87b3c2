import type { CallToolResult } from "@modelcontextprotocol/server";

/** More than an agent's simultaneous calls. */
const MAX_KEPT = 64;

/** Results of calls whose connection was lost, kept for when the same call is made again. */
export class UnheardResults {
  readonly #results = new Map<string, CallToolResult>();

  keep(call: string, result: CallToolResult): void {
    this.#results.set(call, result);
    const [oldest] = this.#results.keys();
    if (oldest !== undefined && this.#results.size > MAX_KEPT) this.#results.delete(oldest);
  }

  /** Returns the result once. */
  take(call: string): CallToolResult | undefined {
    const result = this.#results.get(call);
    this.#results.delete(call);
    return result;
  }
}
