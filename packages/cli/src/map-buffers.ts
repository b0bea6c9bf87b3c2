/**
 * Blocks of at least this size are mapped, and returned to the system as soon as they are freed: a connection's read
 * buffer is one.
 */
const MAPPED_BYTES = "16384";
const THRESHOLD = "MALLOC_MMAP_THRESHOLD_";

/**
 * Makes sure that memory used by connections is returned to the system. glibc keeps such blocks when they are freed,
 * and a flood of connections left 140 MiB behind. It reads its threshold only when a program starts (mallopt(3),
 * M_MMAP_THRESHOLD), so the gateway's program restarts itself, in the same process and terminal, and this function does
 * not return. Does nothing for other commands, on other systems, or if the variable is set.
 */
export function mapBuffers(args: readonly string[]): void {
  const { env, execArgv, execPath, platform } = process;
  if (platform !== "linux" || env[THRESHOLD] !== undefined || !isStart(args)) return;
  // The descriptor would be closed before it is read.
  if (/^\/(?:dev|proc\/self)\/fd\//u.test(env["HOLDPOINT_TOKEN_FILE"] ?? "")) return;
  try {
    process.execve?.(execPath, [execPath, ...execArgv, ...process.argv.slice(1)], {
      ...env,
      [THRESHOLD]: MAPPED_BYTES,
    });
  } catch {
    // The gateway also runs without it.
  }
}

/** Whether these arguments start a gateway. */
function isStart([word = "start", ...rest]: readonly string[]): boolean {
  const isAsked = [word, ...rest].some((arg) => /^(?:--help|-h|--version|-v)$/u.test(arg));
  return (word === "start" || word.startsWith("-")) && !isAsked;
}
