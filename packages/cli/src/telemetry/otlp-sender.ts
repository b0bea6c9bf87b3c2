import type { Clock } from "@holdpoint/engine";

import { VERSION } from "../version.ts";

const TIMEOUT_MS = 5000;

export interface OtlpOptions {
  /** The collector's URL, without `/v1/…`. */
  readonly url: string;
  readonly clock: Clock;
  /** Identifies this process among others. */
  readonly instanceId: string;
}

/** The instrumentation scope in OTLP messages. */
export const SCOPE = { name: "holdpoint", version: VERSION };

/** Sends to a collector over OTLP/HTTP, as JSON. */
export class OtlpSender {
  readonly #options: OtlpOptions;

  constructor(options: OtlpOptions) {
    this.#options = options;
  }

  /** The source of the spans and metrics. */
  get resource(): object {
    const attributes = {
      "service.name": SCOPE.name,
      "service.version": SCOPE.version,
      "service.instance.id": this.#options.instanceId,
    };
    return { attributes: toAttributes(attributes) };
  }

  /** Resolves to whether the collector has taken the body, or never will. Never rejects. */
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
        // A collector must not redirect.
        redirect: "error",
      });
      await answer.body?.cancel();
      // A malformed body (400) would be rejected again.
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

/** Nanoseconds as text, since they exceed the precision of numbers. */
export function toNanoseconds(milliseconds: number): string {
  return `${BigInt(Math.round(milliseconds)) * 1_000_000n}`;
}
