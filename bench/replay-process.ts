// A gateway on a given data folder. argv: data folder, bearer token.
import { createSystemClock, createSystemIds, openGateway } from "@holdpoint/engine";
import { createServer } from "@holdpoint/server";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { askingAdapter } from "./asking-adapter.ts";
import { tell } from "./round-trip/protocol.ts";

const [dataDir = "", personToken = ""] = process.argv.slice(2);
const clock = createSystemClock();
const store = await openSqliteStore({ dataDir });
const gateway = await openGateway({
  store,
  credentials: store.credentials,
  clock,
  ids: createSystemIds(),
  agents: new Map([["asking", askingAdapter(async () => {})]]),
  defaultCwd: "/",
});
const server = createServer({
  gateway,
  clock,
  version: "bench",
  personToken,
});
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
tell({ type: "ready", port, streams: [] });
process.on("disconnect", () => process.exit(0));
