/** The resident memory of this process. Reading it opens a file: `undefined` when no file descriptor is free. */
export function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
