import type { Caller, SerializedFrame } from "@holdpoint/protocol";

const MAX_REMEMBERED = 10_000;
/** A client beyond these changes no frame: else, of a thousand clients, each that connects would be sent to the thousand. */
const MAX_NAMED = 50;

/** Which clients are connected, and which of them may answer. */
export class Presence {
  readonly #connected = new Map<string, { label: string; streams: number }>();
  /** Clients with interaction switched off, oldest first; kept while they are not connected, too. */
  readonly #disabled = new Set<string>();
  readonly #onChange: () => void;
  #frame: SerializedFrame = this.#makeFrame();

  /** `onChange` is called whenever there is another frame. */
  constructor(options: { readonly onChange: () => void }) {
    this.#onChange = options.onChange;
  }

  /** The same object until its content changes. Of many clients it names some, first those that may not answer. */
  get frame(): SerializedFrame {
    return this.#frame;
  }

  /** Whether a client that is connected now may answer. */
  get answerable(): boolean {
    for (const clientId of this.#connected.keys()) if (this.isEnabled(clientId)) return true;
    return false;
  }

  isEnabled(clientId: string): boolean {
    return !this.#disabled.has(clientId);
  }

  /** The client is connected until the signal aborts; several streams of one client count as one. */
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
      if (this.#disabled.size <= MAX_REMEMBERED) break;
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
    const frame = this.#makeFrame();
    if (frame.json === this.#frame.json) return;
    this.#frame = frame;
    this.#onChange();
  }

  #makeFrame(): SerializedFrame {
    const clients = [...this.#named()].map((clientId) => ({
      clientId,
      label: this.#connected.get(clientId)?.label,
      interactionEnabled: this.isEnabled(clientId),
    }));
    return { json: JSON.stringify({ type: "presence", clients, answerable: this.answerable }) };
  }

  /** A client that is not named counts itself as enabled. */
  #named(): Set<string> {
    const named = new Set<string>();
    for (const clientIds of [this.#disabled, this.#connected.keys()]) {
      for (const clientId of clientIds) {
        if (named.size === MAX_NAMED) return named;
        if (this.#connected.has(clientId)) named.add(clientId);
      }
    }
    return named;
  }
}
