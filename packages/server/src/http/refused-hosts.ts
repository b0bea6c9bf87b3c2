import { isLoggableHost, type ServerLog } from "./request-log.ts";

/** More names than these are not logged by themselves: anybody can make them up. */
const MOST = 32;

/** Logs the first request under each foreign name, with what to set where it should be the gateway's own. */
export class RefusedHosts {
  readonly #log: Pick<ServerLog, "warn">;
  readonly #seen = new Set<string>();

  constructor(log: Pick<ServerLog, "warn">) {
    this.#log = log;
  }

  note(host: string): void {
    const name = isLoggableHost(host) ? host.toLowerCase() : "(no name)";
    if (this.#seen.has(name) || this.#seen.size >= MOST) return;
    this.#seen.add(name);
    this.#log.warn(
      { host: name, setting: "publicUrl" },
      "requests under a foreign host name are refused; if it is this gateway's own, set publicUrl (--public-url)",
    );
  }
}
