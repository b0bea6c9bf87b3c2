/** The events of one session as many clients got them: whoever is first says what all others must get as well. */
export class SharedLog {
  readonly #frames: Buffer[] = [];

  /** Whether the bytes of the event at this place are those that the first client got there. */
  agrees(index: number, frame: Buffer): boolean {
    const known = this.#frames[index];
    if (known) return known.equals(frame);
    if (index !== this.#frames.length) return false;
    this.#frames.push(Buffer.from(frame));
    return true;
  }

  /** The events, read from what came. */
  events(): unknown[] {
    return this.#frames.map((frame) => (JSON.parse(frame.toString()) as { event: unknown }).event);
  }
}
