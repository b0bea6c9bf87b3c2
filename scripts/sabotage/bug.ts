/** A bug that is planted on purpose, to check that tests notice it. */
export interface Bug {
  /** The effect of the bug, in a few words. */
  readonly what: string;
  /** The rule of ARCHITECTURE.md that it breaks. */
  readonly rule: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  /** The test files, or folders of them, that should notice. */
  readonly tests: readonly string[];
}

/** The file's text with the bug in it. Throws when the code has moved, so that the bug has to be adapted. */
export function plant({ what, file, search, replace }: Bug, source: string): string {
  const count = source.split(search).length - 1;
  if (count !== 1) {
    throw new Error(`“${what}” does not fit ${file} any more: its text is there ${count} times.`);
  }
  return source.replace(search, () => replace);
}
