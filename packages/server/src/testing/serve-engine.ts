import {
  createMemoryStore,
  type Gateway,
  type GatewayOptions,
  openGateway,
} from "@holdpoint/engine";
import {
  createScriptedAdapter,
  createSequentialIds,
  SimulatedClock,
  type TurnScript,
} from "@holdpoint/engine/testing";

import type { ServerOptions } from "../server-options.ts";
import { serve, type Served } from "./serve.ts";

/** The real engine with a store in memory and an agent `scripted` that runs the script in each turn. */
export async function openEngine(
  clock: SimulatedClock,
  script: TurnScript = async () => ({ reason: "done" }),
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  const adapter = createScriptedAdapter(script);
  const passive = Object.assign(createScriptedAdapter(script), { isPassive: true as const });
  return openGateway({
    store: createMemoryStore({ epoch: "e1" }),
    clock,
    ids: createSequentialIds(),
    agents: new Map([
      ["scripted", adapter],
      ["mcp", passive],
    ]),
    defaultCwd: "/work",
    ...options,
  });
}

/** A server for this engine. */
export async function serveEngine(
  script?: TurnScript,
  options: Partial<ServerOptions> = {},
  ofGateway: Partial<GatewayOptions> = {},
): Promise<Served<Gateway>> {
  await using starting = new AsyncDisposableStack();
  const clock = new SimulatedClock();
  const gateway = starting.use(await openEngine(clock, script, ofGateway));
  const served = starting.use(await serve({ ...options, gateway, clock }));
  const running = starting.move();
  return { ...served, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
