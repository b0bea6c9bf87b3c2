import { UsageError } from "./usage-error.ts";

/** How many ports after a busy default are tried. */
const ATTEMPTS = 20;

export interface ListenRequest {
  readonly host: string;
  readonly port: number;
  readonly portIsExplicit: boolean;
}

/**
 * Listens on the port, or on the next free one after a busy default, and says so.
 * Throws `UsageError` when the named port, every one tried, or the address cannot be had.
 */
export async function listenOnFreePort<TAddress>(
  { host, port, portIsExplicit }: ListenRequest,
  listen: (address: { host: string; port: number }) => Promise<TAddress>,
  say: (line: string) => void,
): Promise<TAddress> {
  const last = portIsExplicit ? port : port + ATTEMPTS;
  for (let candidate = port; candidate <= last; candidate += 1) {
    try {
      const address = await listen({ host, port: candidate });
      if (candidate !== port) say(`Port ${port} is busy; using ${candidate}.`);
      return address;
    } catch (error) {
      if (errorCode(error) !== "EADDRINUSE") throw explain(error, host, candidate);
    }
  }
  throw new UsageError(
    portIsExplicit
      ? `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`
      : `Ports ${port} to ${last} are in use. Choose one with --port, or --port 0 for any free one.`,
  );
}

function explain(error: unknown, host: string, port: number): unknown {
  switch (errorCode(error)) {
    case "EACCES":
      return new UsageError(`Port ${port} may not be used by this user. Choose one from 1024 on.`);
    case "EADDRNOTAVAIL":
    case "EINVAL":
    case "ENOTFOUND":
      return new UsageError(`This machine has no address "${host}". Use --host 127.0.0.1.`);
    default:
      return error;
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
