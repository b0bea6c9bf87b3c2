/** The only source of randomness. */
export interface Ids {
  /** A fresh id of at least 128 random bits behind a readable prefix, such as `int_…`. */
  next(prefix: "ses" | "trn" | "msg" | "int" | "gnt" | "cli"): string;
}
