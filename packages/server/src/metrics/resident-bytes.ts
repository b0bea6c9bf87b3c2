/** The memory that this process holds. Reading it opens a file: undefined where no file descriptor is free. */
export function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
