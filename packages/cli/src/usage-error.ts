/** The person can mend it: one line on stderr that names the thing and the way out, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
