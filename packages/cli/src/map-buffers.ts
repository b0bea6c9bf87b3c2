/** Blocks from this size on are mapped, and given back to the system as soon as they are freed: a read of a connection is one. */
const MAPPED_BYTES = "16384";
const THRESHOLD = "MALLOC_MMAP_THRESHOLD_";

/**
 * Sees to it that what connections have used goes back to the system. glibc keeps such blocks when they are freed, and a
 * flood of connections left 140 MiB behind. It reads its threshold only when a program starts (mallopt(3), M_MMAP_THRESHOLD),
 * so the program of a gateway starts again, in the same process with the same terminal, and this does not return. Does nothing
 * for other commands, on other systems, and where the variable is set.
 */
export function mapBuffers(args: readonly string[]): void {
  const { env, execArgv, execPath, platform } = process;
  if (platform !== "linux" || env[THRESHOLD] !== undefined || !isStart(args)) return;
  // It would be closed before it was read.
  if (/^\/(?:dev|proc\/self)\/fd\//u.test(env["HOLDPOINT_TOKEN_FILE"] ?? "")) return;
  try {
    process.execve?.(execPath, [execPath, ...execArgv, ...process.argv.slice(1)], {
      ...env,
      [THRESHOLD]: MAPPED_BYTES,
    });
  } catch {
    // The gateway runs as well without it.
  }
}

/** Whether these arguments start a gateway. */
function isStart([word = "start", ...rest]: readonly string[]): boolean {
  const isAsked = [word, ...rest].some((arg) => /^(?:--help|-h|--version|-v)$/u.test(arg));
  return (word === "start" || word.startsWith("-")) && !isAsked;
}
