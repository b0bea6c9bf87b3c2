/** Why this browser cannot sign in, or why its sign-in at an issuer failed. */
export class SignInError extends Error {
  readonly reason:
    | "insecure"
    | "issuer_down"
    | "not_admitted"
    | "not_begun_here"
    | "sign_in_refused"
    | "storage_blocked";

  constructor(reason: SignInError["reason"]) {
    super(reason);
    this.reason = reason;
  }
}
