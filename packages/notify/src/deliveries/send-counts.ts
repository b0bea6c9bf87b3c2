import type { SendResult } from "./target.ts";

export interface SendCount {
  readonly by: "push" | "webhook";
  readonly result: SendResult["kind"];
  readonly count: number;
}

/** Counts messages by channel and result. */
export class SendCounts {
  readonly #counts = new Map<string, SendCount>();

  add(by: SendCount["by"], result: SendCount["result"]): void {
    const key = `${by} ${result}`;
    const { count = 0 } = this.#counts.get(key) ?? {};
    this.#counts.set(key, { by, result, count: count + 1 });
  }

  get figures(): readonly SendCount[] {
    return [...this.#counts.values()];
  }
}
