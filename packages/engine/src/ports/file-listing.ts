/** The files that a directory holds. */
export interface FileListing {
  /** Relative to the directory, with `/` between names. */
  readonly paths: readonly string[];
  /** There were too many to look at them all. */
  readonly isPartial?: true;
}

/** A gateway that cannot look into directories. */
export const NO_FILES = async (): Promise<FileListing> => ({ paths: [] });
