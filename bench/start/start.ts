import { get } from "node:http";

import type { GatewayPlace } from "../support/gateway-protocol.ts";
import { withGatewayOn } from "../support/gateway.ts";
import { withFolder } from "../support/processes.ts";
import { atMost, type Row } from "../support/report.ts";
import { fillHistory } from "./fill-history.ts";

const SETTLED = 100_000;
const PENDING = 10_000;
const MAX_START_MS = 500;
const MAX_FIRST_BYTES = 100_000;
/** A period without any data counts as the end of the initial data of a client. */
const QUIET_MS = 500;

/** A start after a kill, on a long history, and the initial data of a client that connects then. */
export function measureStart(): Promise<Row[]> {
  return withFolder(async (dataDir) => {
    await fillHistory(dataDir, { settled: SETTLED, pending: PENDING });
    const history = `${SETTLED.toLocaleString("en")} settled`;
    return withGatewayOn(dataDir, async (_, place) => {
      const bytes = await firstBytes(place);
      return [
        {
          what: `start after a kill, ${history}, ${PENDING.toLocaleString("en")} pending`,
          figure: `${place.startedInMs.toFixed(0)} ms after its modules were loaded`,
          budget: atMost(place.startedInMs, MAX_START_MS, `${MAX_START_MS} ms`),
        },
        {
          what: `what a client gets at first from the overview, ${PENDING.toLocaleString("en")} open`,
          figure: `${(bytes / 1000).toFixed(0)} kB`,
          budget: atMost(bytes, MAX_FIRST_BYTES, `${MAX_FIRST_BYTES / 1000} kB`),
        },
      ];
    });
  });
}

function firstBytes({ port, token }: GatewayPlace): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const request = get({
      host: "127.0.0.1",
      port,
      path: "/api/events",
      headers: { authorization: `Bearer ${token}` },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      const finish = (): void => {
        response.removeAllListeners();
        request.destroy();
        resolve(bytes);
      };
      let quiet = setTimeout(finish, QUIET_MS);
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        clearTimeout(quiet);
        quiet = setTimeout(finish, QUIET_MS);
      });
    });
  });
}
