import { GatewayError } from "@holdpoint/engine";

/**
 * Why a server cannot be made, may not listen, or makes no link. What the operating system refuses keeps Node's own error.
 * - `BIND_REFUSED`: the address is reachable from the network and there is no https public URL.
 * - `BAD_CONFIG`: an option cannot be used; the message names it.
 * - `TOO_MANY_LINKS`: there is no room for another launch link until one of the others is used or ends.
 * - `TOO_MANY_TOKENS`: agents have as many tokens as they may.
 */
export class ServerError extends GatewayError<
  "BIND_REFUSED" | "BAD_CONFIG" | "TOO_MANY_LINKS" | "TOO_MANY_TOKENS"
> {}
