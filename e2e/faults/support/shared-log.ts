/** The events of one session as many clients got them: the first client sets the bytes that all others must get. */
export class SharedLog {
  readonly #frames: Buffer[] = [];

  /** Whether the bytes of the event at this place equal those that the first client got. */
  agrees(index: number, frame: Buffer): boolean {
    const known = this.#frames[index];
    if (known) return known.equals(frame);
    if (index !== this.#frames.length) return false;
    this.#frames.push(Buffer.from(frame));
    return true;
  }

  /** The parsed events. */
  events(): unknown[] {
    return this.#frames.map((frame) => (JSON.parse(frame.toString()) as { event: unknown }).event);
  }
}
