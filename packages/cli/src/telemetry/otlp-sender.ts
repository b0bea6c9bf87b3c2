import type { Clock } from "@holdpoint/engine";

import { VERSION } from "../version.ts";

const TIMEOUT_MS = 5000;

export interface OtlpOptions {
  /** Of the collector, without `/v1/…`. */
  readonly url: string;
  readonly clock: Clock;
  /** Of this process, to tell it from others. */
  readonly instanceId: string;
}

/** Of what is sent, as OTLP has it. */
export const SCOPE = { name: "holdpoint", version: VERSION };

/** Sends to a collector over OTLP/HTTP, as JSON. */
export class OtlpSender {
  readonly #options: OtlpOptions;

  constructor(options: OtlpOptions) {
    this.#options = options;
  }

  /** Whose spans and figures these are. */
  get resource(): object {
    const attributes = {
      "service.name": SCOPE.name,
      "service.version": SCOPE.version,
      "service.instance.id": this.#options.instanceId,
    };
    return { attributes: toAttributes(attributes) };
  }

  /** Whether the collector has taken it, or never will. Never rejects. */
  async send(
    path: "/v1/metrics" | "/v1/traces",
    body: object,
    ended: AbortSignal,
  ): Promise<boolean> {
    const { url, clock } = this.#options;
    const tooLong = new AbortController();
    using _ = clock.after(TIMEOUT_MS, () => tooLong.abort());
    try {
      const answer = await fetch(`${url.replace(/\/$/, "")}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.any([ended, tooLong.signal]),
        // A collector that sends its client elsewhere is none.
        redirect: "error",
      });
      await answer.body?.cancel();
      // What is malformed for it now will be so again.
      return answer.ok || answer.status === 400;
    } catch {
      return false;
    }
  }
}

export function toAttributes(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** A text, since no number holds them. */
export function toNanoseconds(milliseconds: number): string {
  return `${BigInt(Math.round(milliseconds)) * 1_000_000n}`;
}
