/** The only source of randomness. */
export interface Ids {
  /** A fresh id of at least 96 random bits behind a readable prefix, such as `int_…`; greater than those made before. */
  next(prefix: "ses" | "trn" | "msg" | "int" | "gnt" | "cli" | "tok" | "dlv"): string;
  /** 256 random bits that nobody can guess, in URL-safe characters. */
  secret(): string;
}
