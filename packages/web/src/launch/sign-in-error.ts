/** Why this browser cannot sign in at all. */
export class SignInError extends Error {
  readonly reason: "insecure" | "storage_blocked";

  constructor(reason: SignInError["reason"]) {
    super(reason);
    this.reason = reason;
  }
}
