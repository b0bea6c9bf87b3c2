import { isLoggableHost, type ServerLog } from "./request-log.ts";

/** Limit on logged names, because anyone can make them up. */
const MOST = 32;

/** Logs the first request under each foreign host name, with the setting to change if the name is the gateway's own. */
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
