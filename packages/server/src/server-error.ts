import { GatewayError } from "@holdpoint/engine";

/**
 * A server cannot be created, must not listen, or cannot issue a link or token. Errors of the operating system are
 * passed on unchanged.
 * - `BIND_REFUSED`: the address is reachable from the network and there is no https public URL.
 * - `BAD_CONFIG`: an option cannot be used; the message names it.
 * - `TOO_MANY_LINKS`: too many launch links are unused. One must be used or expire first.
 * - `TOO_MANY_TOKENS`: the maximum number of agent tokens exists.
 */
export class ServerError extends GatewayError<
  "BIND_REFUSED" | "BAD_CONFIG" | "TOO_MANY_LINKS" | "TOO_MANY_TOKENS"
> {}
