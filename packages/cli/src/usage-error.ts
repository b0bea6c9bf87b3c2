/** An error that the person can correct: one line on stderr names the cause and the way out, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
