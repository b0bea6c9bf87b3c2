/** One step of the schema. It is never changed once released: what follows is a new step. */
export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  /** Runs in the schema `holdpoint`. */
  readonly sql: string;
}
