/** One step of the schema. Never changed after its release: later changes are new steps. */
export interface Migration {
  /** Starts at 1, without gaps. */
  readonly version: number;
  readonly sql: string;
}
