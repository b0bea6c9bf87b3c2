import { trimEnd } from "./trim-end.ts";

/** Returns the address of a path on a gateway. `baseUrl` may contain a path and end with a slash. */
export function urlAt(baseUrl: string, path: string): string {
  return trimEnd(baseUrl, "/") + path;
}
