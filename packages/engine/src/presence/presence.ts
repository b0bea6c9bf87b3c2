import {
  type AnnounceOptions,
  type Caller,
  type FollowOptions,
  mayCome,
  maySee,
  personKeyOf,
  type Seen,
  type SerializedFrame,
  sightOf,
  type Viewer,
} from "@holdpoint/protocol";

/** The most restrictions remembered for each person. */
const MAX_REMEMBERED = 1000;
/**
 * The most clients named in a frame. Without a limit, each of a thousand clients that connects would change the frame
 * of all the others.
 */
const MAX_NAMED = 50;
const MAX_SHARED = 200;
const MAX_OWN = 1000;

/** Why a client may not answer. */
interface Restriction {
  /** Interaction is switched off for it. */
  readonly isOff: boolean;
  /** It reported that it cannot show interactions. Switching it on does not change that. */
  readonly isBlind: boolean;
  /** Its credential, if known. A client that leaves out its id is identified only by this. */
  readonly tokenId: string | undefined;
}

/** A connected client, with an id that it has chosen itself. */
interface Connected {
  readonly clientId: string;
  readonly personId?: string;
  readonly label: string;
  readonly tokenId?: string;
  readonly viewer: Viewer;
  streams: number;
}

/** The frame for people who see only some sessions. */
interface SharedFrame {
  readonly seenBy: readonly string[];
  frame: SerializedFrame;
}

const FREE: Restriction = { isOff: false, isBlind: false, tokenId: undefined };

/** The connected clients, and which of them may answer. */
export class Presence {
  readonly #connected = new Map<string, Connected>();
  /** Clients that may not answer, oldest first. They are kept while disconnected, too. */
  readonly #restricted = new Map<string, Restriction>();
  /** The restricted clients of each person, so that no one's entries push out another person's. */
  readonly #restrictedOf = new Map<string, Set<string>>();
  /** The number of pages in view, by device. */
  readonly #looking = new Map<string, number>();
  readonly #onChange: () => void;
  readonly #onClients: () => void;
  #frame: SerializedFrame = this.#makeFrame();
  /** By the people who see the session. */
  readonly #shared = new Map<string, SharedFrame>();
  /** Frames with the clients of one person, by the person's id. */
  readonly #own = new Map<string | undefined, SerializedFrame>();
  #answerable = false;

  /**
   * `onChange` is called whenever a frame changes, `onClients` whenever the clients that may answer may have changed.
   */
  constructor(options: { readonly onChange: () => void; readonly onClients?: () => void }) {
    this.#onChange = options.onChange;
    this.#onClients = options.onClients ?? (() => undefined);
  }

  /**
   * The frame for sessions that everyone sees: the same object until its content changes. It names a limited number of
   * clients, starting with restricted ones.
   */
  get frame(): SerializedFrame {
    return this.#frame;
  }

  /** The frame for a session, naming only clients that see it: the same object until its content changes. */
  frameOf(seenBy: Seen["seenBy"]): SerializedFrame {
    if (!seenBy) return this.#frame;
    const key = seenBy.join("\n");
    const known = this.#shared.get(key);
    if (known) return known.frame;
    if (this.#shared.size >= MAX_SHARED) this.#shared.clear();
    const frame = this.#makeFrame(seenBy);
    this.#shared.set(key, { seenBy, frame });
    return frame;
  }

  /**
   * The frame over all sessions for a person who does not see everything, naming the person's own clients: the same
   * object until its content changes.
   */
  ownFrameOf(personId: string | undefined): SerializedFrame {
    const known = this.#own.get(personId);
    if (known) return known;
    if (this.#own.size >= MAX_OWN) this.#own.clear();
    const frame = this.#makeOwnFrame(personId);
    this.#own.set(personId, frame);
    return frame;
  }

  /** Whether a connected client may answer an interaction with this visibility. */
  mayBeAnswered(seen: Seen): boolean {
    for (const [key, { viewer }] of this.#connected) {
      if (!this.#restricted.has(key) && mayCome(seen, viewer)) return true;
    }
    return false;
  }

  /**
   * Whether the caller may answer. A caller without a client id may be any client of its credential, so all of them
   * must be switched on.
   */
  mayAnswer(caller: Caller): boolean {
    const { clientId, tokenId } = caller;
    if (clientId !== undefined) return !this.#restricted.has(keyOf(caller, clientId));
    if (tokenId === undefined) return true;
    return ![...this.#restricted.values()].some((restriction) => restriction.tokenId === tokenId);
  }

  /** Counts the client as connected until the signal aborts. Several streams of one client count as one. */
  announce(caller: Caller, { signal, supportsInteraction }: AnnounceOptions): void {
    const { clientId, tokenId, personId, role, signIn } = caller;
    if (clientId === undefined || signal.aborted) return;
    const key = keyOf(caller, clientId);
    const streams = this.#connected.get(key)?.streams ?? 0;
    this.#connected.set(key, {
      clientId,
      ...(personId !== undefined && { personId }),
      label: caller.client,
      ...(tokenId !== undefined && { tokenId }),
      viewer: { role, personId, signIn },
      streams: streams + 1,
    });
    signal.addEventListener("abort", () => this.#leave(key), { once: true });
    this.#restrict(caller, key, {
      tokenId,
      ...(supportsInteraction !== undefined && { isBlind: !supportsInteraction }),
    });
    this.#changed(personId);
  }

  /** Whether a page of the device is in view. */
  isLooking(deviceId: string): boolean {
    return this.#looking.has(deviceId);
  }

  /** Counts a page of the caller's device as in view until the signal aborts. */
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

  /**
   * Switches interaction on or off for a client, at the request of that client or of another one of the same person.
   */
  setEnabled(caller: Caller, clientId: string, enabled: boolean): void {
    const isItself = caller.clientId === undefined || caller.clientId === clientId;
    const key = keyOf(caller, clientId);
    const tokenId = isItself ? caller.tokenId : this.#connected.get(key)?.tokenId;
    this.#restrict(caller, key, { isOff: !enabled, ...(tokenId !== undefined && { tokenId }) });
    this.#changed(caller.personId);
  }

  #restrict(caller: Caller, key: string, change: Partial<Restriction>): void {
    const restriction = { ...(this.#restricted.get(key) ?? FREE), ...change };
    const person = personKeyOf(caller);
    const own = this.#restrictedOf.get(person) ?? new Set();
    if (!restriction.isOff && !restriction.isBlind) {
      this.#restricted.delete(key);
      own.delete(key);
      if (own.size === 0) this.#restrictedOf.delete(person);
      return;
    }
    this.#restricted.set(key, restriction);
    this.#restrictedOf.set(person, own.add(key));
    for (const oldest of own) {
      if (own.size <= MAX_REMEMBERED) break;
      this.#restricted.delete(oldest);
      own.delete(oldest);
    }
  }

  #leave(key: string): void {
    const client = this.#connected.get(key);
    if (!client) return;
    client.streams -= 1;
    if (client.streams === 0) this.#connected.delete(key);
    this.#changed(client.personId);
  }

  /** Updates the frames after a change to a client of this person. */
  #changed(personId: string | undefined): void {
    const frame = this.#makeFrame();
    let isOther = frame.json !== this.#frame.json;
    if (isOther) this.#frame = frame;
    if (this.#ownChanged(personId)) isOther = true;
    for (const shared of this.#shared.values()) {
      const next = this.#makeFrame(shared.seenBy);
      if (next.json === shared.frame.json) continue;
      shared.frame = next;
      isOther = true;
    }
    this.#onClients();
    if (isOther) this.#onChange();
  }

  /** Updates the frames of single people. Returns whether one of them changed. */
  #ownChanged(personId: string | undefined): boolean {
    const answerable = this.mayBeAnswered({});
    if (answerable !== this.#answerable) {
      this.#answerable = answerable;
      this.#own.clear();
      return true;
    }
    const before = this.#own.get(personId);
    if (!before) return false;
    const next = this.#makeOwnFrame(personId);
    if (next.json === before.json) return false;
    this.#own.set(personId, next);
    return true;
  }

  #makeOwnFrame(personId: string | undefined): SerializedFrame {
    const own = [...this.#connected].filter(([, client]) => client.personId === personId);
    const keys = own.slice(0, MAX_NAMED).map(([key]) => key);
    return this.#toFrame(personId === undefined ? [] : keys, this.#answerable);
  }

  #makeFrame(seenBy?: readonly string[]): SerializedFrame {
    return this.#toFrame([...this.#named(seenBy)], this.mayBeAnswered({ seenBy }));
  }

  #toFrame(keys: readonly string[], answerable: boolean): SerializedFrame {
    const clients = keys.map((key) => ({
      clientId: this.#connected.get(key)?.clientId,
      personId: this.#connected.get(key)?.personId,
      label: this.#connected.get(key)?.label,
      interactionEnabled: !this.#restricted.has(key),
    }));
    return { json: JSON.stringify({ type: "presence", clients, answerable }) };
  }

  /** Restricted clients come first, since a client that is not named considers itself enabled. */
  #named(seenBy: Seen["seenBy"]): Set<string> {
    const named = new Set<string>();
    for (const keys of [this.#restricted.keys(), this.#connected.keys()]) {
      for (const key of keys) {
        if (named.size === MAX_NAMED) return named;
        const client = this.#connected.get(key);
        if (client && maySee({ seenBy }, sightOf(client.viewer))) named.add(key);
      }
    }
    return named;
  }
}

/** Clients choose their own ids, so clients of different people are different even with equal ids. */
function keyOf(caller: Caller, clientId: string): string {
  return JSON.stringify([personKeyOf(caller), clientId]);
}
