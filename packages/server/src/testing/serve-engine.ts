import { createMemoryStore, type Gateway, openGateway } from "@holdpoint/engine";
import {
  createScriptedAdapter,
  createSequentialIds,
  SimulatedClock,
  type TurnScript,
} from "@holdpoint/engine/testing";

import type { ServerOptions } from "../server-options.ts";
import { serve, type Served } from "./serve.ts";

/** A server over the real engine, with a store in memory and an agent `scripted` that runs the script in each turn. */
export async function serveEngine(
  script: TurnScript = async () => ({ reason: "done" }),
  options: Partial<ServerOptions> = {},
): Promise<Served<Gateway>> {
  await using starting = new AsyncDisposableStack();
  const clock = new SimulatedClock();
  const adapter = createScriptedAdapter(script);
  const gateway = starting.use(
    await openGateway({
      store: starting.use(createMemoryStore({ epoch: "e1" })),
      clock,
      ids: createSequentialIds(),
      agents: new Map([
        ["scripted", adapter],
        ["mcp", adapter],
      ]),
      defaultCwd: "/work",
    }),
  );
  const served = starting.use(await serve({ ...options, gateway, clock }));
  const running = starting.move();
  return { ...served, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
