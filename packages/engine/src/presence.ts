import type { Caller, SerializedFrame } from "@holdpoint/protocol";

const maxRemembered = 10_000;

/** Which clients are connected, and which of them may answer. */
export class Presence {
  readonly #connected = new Map<string, { label: string; streams: number }>();
  /** Remembered also while the client is away, oldest first. */
  readonly #disabled = new Set<string>();
  readonly #onChange: () => void;
  #frame: SerializedFrame | undefined;

  constructor(options: { readonly onChange: () => void }) {
    this.#onChange = options.onChange;
  }

  /** The same object until somebody comes, goes or is switched. */
  get frame(): SerializedFrame {
    this.#frame ??= { json: JSON.stringify(this.#toFrame()) };
    return this.#frame;
  }

  /** Whether anybody who is connected now may answer. */
  get answerable(): boolean {
    return [...this.#connected.keys()].some((clientId) => this.isEnabled(clientId));
  }

  isEnabled(clientId: string): boolean {
    return !this.#disabled.has(clientId);
  }

  /** The client is here until the signal aborts; several streams of one client count as one. */
  announce(caller: Caller, { signal }: { readonly signal: AbortSignal }): void {
    const { clientId } = caller;
    if (clientId === undefined || signal.aborted) return;
    const streams = this.#connected.get(clientId)?.streams ?? 0;
    this.#connected.set(clientId, { label: caller.client, streams: streams + 1 });
    signal.addEventListener("abort", () => this.#leave(clientId), { once: true });
    this.#changed();
  }

  setEnabled(clientId: string, enabled: boolean): void {
    if (this.isEnabled(clientId) === enabled) return;
    if (enabled) this.#disabled.delete(clientId);
    else this.#disabled.add(clientId);
    for (const oldest of this.#disabled) {
      if (this.#disabled.size <= maxRemembered) break;
      this.#disabled.delete(oldest);
    }
    this.#changed();
  }

  #leave(clientId: string): void {
    const client = this.#connected.get(clientId);
    if (!client) return;
    client.streams -= 1;
    if (client.streams === 0) this.#connected.delete(clientId);
    this.#changed();
  }

  #changed(): void {
    this.#frame = undefined;
    this.#onChange();
  }

  #toFrame() {
    const clients = [...this.#connected].map(([clientId, { label }]) => ({
      clientId,
      label,
      interactionEnabled: this.isEnabled(clientId),
    }));
    return { type: "presence", clients, answerable: this.answerable };
  }
}
