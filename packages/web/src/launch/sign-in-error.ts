/** Why this browser cannot sign in at all, or what became of its sign-in at an issuer. */
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
