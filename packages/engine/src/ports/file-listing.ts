export interface FileListing {
  /** Relative to the directory, with `/` between names. */
  readonly paths: readonly string[];
  /** The directory has too many files to read them all. */
  readonly isPartial?: true;
}

/** For a gateway that cannot read directories. */
export const NO_FILES = async (): Promise<FileListing> => ({ paths: [] });
