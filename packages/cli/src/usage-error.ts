import { inEnglish, type Saying, type Told } from "@holdpoint/protocol";

/** An error that the person can correct: one line on stderr names the cause and the fix, with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The message in a translatable form. */
  readonly said: readonly Saying[] | undefined;

  constructor(told: Told, options?: ErrorOptions) {
    super(inEnglish(told), options);
    this.said = typeof told === "string" ? undefined : [told].flat();
  }

  /** The message for a person who does not read the terminal. */
  get told(): Told {
    return this.said ?? this.message;
  }
}
