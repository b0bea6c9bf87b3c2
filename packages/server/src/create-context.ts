import { Authenticator } from "./auth/authenticator.ts";
import { FailureLimiter } from "./auth/failure-limiter.ts";
import { LaunchCodes } from "./auth/launch-codes.ts";
import type { ServerContext } from "./server-context.ts";
import type { ServerOptions } from "./server-options.ts";
import { DEFAULT_STREAM_LIMITS } from "./streams/stream-limits.ts";
import { StreamRegistry } from "./streams/stream-registry.ts";

const SILENT = { info: ignore, warn: ignore, error: ignore };

/** What the routes of one server share. */
export function createContext(options: ServerOptions): ServerContext {
  const { gateway, credentials, clock, version, personToken, personName = "Owner" } = options;
  const limiter = new FailureLimiter(clock);
  const streamLimits = { ...DEFAULT_STREAM_LIMITS, ...options.streamLimits };
  return {
    gateway,
    credentials,
    clock,
    version,
    limiter,
    streamLimits,
    log: options.log ?? SILENT,
    launchCodes: new LaunchCodes(clock),
    streams: new StreamRegistry(streamLimits.perPerson),
    authenticator: new Authenticator({ credentials, clock, limiter, personName, personToken }),
  };
}

function ignore(): void {}
