import { GatewayError } from "@holdpoint/engine";

/**
 * Why a server cannot be made or may not listen. What the operating system refuses keeps Node's own error.
 * - `BIND_REFUSED`: the address is reachable from the network and there is no https public URL.
 * - `BAD_CONFIG`: an option cannot be used; the message names it.
 */
export class ServerError extends GatewayError<"BIND_REFUSED" | "BAD_CONFIG"> {}
