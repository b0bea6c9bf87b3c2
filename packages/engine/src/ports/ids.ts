/** The only source of randomness. */
export interface Ids {
  /** A new id of at least 96 random bits behind a readable prefix, such as `int_…`. Sorts after all earlier ones. */
  next(prefix: "ses" | "trn" | "msg" | "int" | "gnt" | "cli" | "tok" | "dlv"): string;
  /** 256 random bits that no one can guess, in URL-safe characters. */
  secret(): string;
}
