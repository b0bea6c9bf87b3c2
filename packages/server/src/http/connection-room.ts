import { readFileSync } from "node:fs";
import type { Server } from "node:net";

import type { Clock } from "@holdpoint/engine";

import { describeError, type ServerLog } from "./request-log.ts";

/** How long after the last refused connection `isFull` stays true. */
const REPORTED_MS = 10_000;

export interface ConnectionRoomParts {
  readonly clock: Pick<Clock, "monotonic">;
  readonly log: Pick<ServerLog, "warn">;
  /**
   * The most simultaneous connections of a server. Default: half of the file descriptors that this process may open.
   */
  readonly most?: number | undefined;
}

/** Limits a server's connections, to keep file descriptors free for agents and files. */
export class ConnectionRoom {
  readonly most: number;
  readonly #parts: ConnectionRoomParts;
  #refusedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ConnectionRoomParts) {
    this.#parts = parts;
    this.most = parts.most ?? Math.floor(descriptorLimit() / 2);
  }

  /** True when a connection was refused in the last ten seconds. */
  get isFull(): boolean {
    return this.#parts.clock.monotonic() - this.#refusedAtMs < REPORTED_MS;
  }

  /** Limits the connections of a server, and logs its errors so that none ends the process. */
  watch(server: Server): void {
    if (this.most !== Number.POSITIVE_INFINITY) server.maxConnections = this.most;
    server.on("drop", () => this.#refuse({ most: this.most }));
    // For example, no file descriptor was free for a connection. One may be free for the next.
    server.on("error", (error) => this.#refuse(describeError(error)));
  }

  #refuse(facts: object): void {
    const { clock, log } = this.#parts;
    if (!this.isFull) log.warn(facts, "connections are refused: there are too many");
    this.#refusedAtMs = clock.monotonic();
  }
}

/** The number of file descriptors that this process may open; `Infinity` without a limit. */
export function descriptorLimit(): number {
  const soft = Number(process.platform === "linux" ? readLinuxLimit() : readReportedLimit());
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY;
}

function readLinuxLimit(): string | undefined {
  try {
    return /^Max open files +(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  } catch {
    return undefined;
  }
}

/** Takes 100 ms. */
function readReportedLimit(): number | string | undefined {
  const { report } = process;
  // Otherwise the report looks up the host names of all peers.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } };
  };
  return userLimits?.open_files?.soft;
}
