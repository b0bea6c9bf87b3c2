import { UsageError } from "../usage-error.ts";

export interface ListenRequest {
  readonly host: string;
  readonly port: number;
}

/**
 * Listens on this port and no other: an address known to people and their browsers must not lead to another program.
 * Throws `UsageError` if the port or the address is unavailable.
 */
export async function listenOnPort<TAddress>(
  request: ListenRequest,
  listen: (address: ListenRequest) => Promise<TAddress>,
): Promise<TAddress> {
  try {
    return await listen(request);
  } catch (error) {
    throw explain(error, request);
  }
}

function explain(error: unknown, { host, port }: ListenRequest): unknown {
  switch (errorCode(error)) {
    case "EADDRINUSE":
      return new UsageError(
        `Port ${port} is in use, perhaps by another gateway. Signed-in devices know this gateway by its port, so it never takes another one unasked: stop that program, or choose a port with --port (--port 0 for any free one).`,
      );
    case "EACCES":
      return new UsageError(`Port ${port} may not be used by this user. Choose 1024 or higher.`);
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
