import {
  type AnnounceOptions,
  type Caller,
  type FollowOptions,
  personKeyOf,
  type SerializedFrame,
} from "@holdpoint/protocol";

const MAX_REMEMBERED = 10_000;
/** A client beyond these changes no frame: else, of a thousand clients, each that connects would be sent to the thousand. */
const MAX_NAMED = 50;

/** Why a client may not answer. */
interface Restriction {
  /** Interaction is switched off on it. */
  readonly isOff: boolean;
  /** It has said that it cannot show interactions. Switching it on does not change that. */
  readonly isBlind: boolean;
  /** The credential that it uses, as far as known: the client has no other name when it leaves its id out. */
  readonly tokenId: string | undefined;
}

/** Who is connected, under a name that is the client's own choice. */
interface Connected {
  readonly clientId: string;
  readonly personId?: string;
  readonly label: string;
  readonly tokenId?: string;
  streams: number;
}

const FREE: Restriction = { isOff: false, isBlind: false, tokenId: undefined };

/** Which clients are connected, and which of them may answer. */
export class Presence {
  readonly #connected = new Map<string, Connected>();
  /** Clients that may not answer, oldest first; kept while they are not connected, too. */
  readonly #restricted = new Map<string, Restriction>();
  /** How many pages in view each device has. */
  readonly #looking = new Map<string, number>();
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
    for (const key of this.#connected.keys()) if (!this.#restricted.has(key)) return true;
    return false;
  }

  /** A caller that leaves its client id out may be any client of its credential: all of them must be on. */
  mayAnswer(caller: Caller): boolean {
    const { clientId, tokenId } = caller;
    if (clientId !== undefined) return !this.#restricted.has(keyOf(caller, clientId));
    if (tokenId === undefined) return true;
    return ![...this.#restricted.values()].some((restriction) => restriction.tokenId === tokenId);
  }

  /** The client is connected until the signal aborts; several streams of one client count as one. */
  announce(caller: Caller, { signal, supportsInteraction }: AnnounceOptions): void {
    const { clientId, tokenId, personId } = caller;
    if (clientId === undefined || signal.aborted) return;
    const key = keyOf(caller, clientId);
    const streams = this.#connected.get(key)?.streams ?? 0;
    this.#connected.set(key, {
      clientId,
      ...(personId !== undefined && { personId }),
      label: caller.client,
      ...(tokenId !== undefined && { tokenId }),
      streams: streams + 1,
    });
    signal.addEventListener("abort", () => this.#leave(key), { once: true });
    this.#restrict(key, {
      tokenId,
      ...(supportsInteraction !== undefined && { isBlind: !supportsInteraction }),
    });
    this.#changed();
  }

  /** Whether a page of the device is in view. */
  isLooking(deviceId: string): boolean {
    return this.#looking.has(deviceId);
  }

  /** A page of the caller's device is in view until the signal aborts. */
  look({ tokenId }: Caller, { signal }: FollowOptions): void {
    if (tokenId === undefined || signal.aborted) return;
    const count = (by: number): void => {
      const pages = (this.#looking.get(tokenId) ?? 0) + by;
      if (pages === 0) this.#looking.delete(tokenId);
      else this.#looking.set(tokenId, pages);
    };
    count(1);
    signal.addEventListener("abort", () => count(-1), { once: true });
  }

  /** Switches interaction on a client on or off, on request of that client or of another one of the same person. */
  setEnabled(caller: Caller, clientId: string, enabled: boolean): void {
    const isItself = caller.clientId === undefined || caller.clientId === clientId;
    const key = keyOf(caller, clientId);
    const tokenId = isItself ? caller.tokenId : this.#connected.get(key)?.tokenId;
    this.#restrict(key, { isOff: !enabled, ...(tokenId !== undefined && { tokenId }) });
    this.#changed();
  }

  #restrict(key: string, change: Partial<Restriction>): void {
    const restriction = { ...(this.#restricted.get(key) ?? FREE), ...change };
    if (!restriction.isOff && !restriction.isBlind) {
      this.#restricted.delete(key);
      return;
    }
    this.#restricted.set(key, restriction);
    for (const oldest of this.#restricted.keys()) {
      if (this.#restricted.size <= MAX_REMEMBERED) break;
      this.#restricted.delete(oldest);
    }
  }

  #leave(key: string): void {
    const client = this.#connected.get(key);
    if (!client) return;
    client.streams -= 1;
    if (client.streams === 0) this.#connected.delete(key);
    this.#changed();
  }

  #changed(): void {
    const frame = this.#makeFrame();
    if (frame.json === this.#frame.json) return;
    this.#frame = frame;
    this.#onChange();
  }

  #makeFrame(): SerializedFrame {
    const clients = [...this.#named()].map((key) => ({
      clientId: this.#connected.get(key)?.clientId,
      personId: this.#connected.get(key)?.personId,
      label: this.#connected.get(key)?.label,
      interactionEnabled: !this.#restricted.has(key),
    }));
    return { json: JSON.stringify({ type: "presence", clients, answerable: this.answerable }) };
  }

  /** A client that is not named counts itself as enabled. */
  #named(): Set<string> {
    const named = new Set<string>();
    for (const keys of [this.#restricted.keys(), this.#connected.keys()]) {
      for (const key of keys) {
        if (named.size === MAX_NAMED) return named;
        if (this.#connected.has(key)) named.add(key);
      }
    }
    return named;
  }
}

/** Clients choose their names themselves: one of another person is another client, whatever it is called. */
function keyOf(caller: Caller, clientId: string): string {
  return JSON.stringify([personKeyOf(caller), clientId]);
}
