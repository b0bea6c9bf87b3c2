import { expect, test } from "vitest";

import type { GatewayStatus } from "../control/control-message.ts";
import { checkGateway } from "./check-gateway.ts";
import type { Scene } from "./read-scene.ts";

test.each([
  [undefined, /for 2 hours$/u],
  [{ role: "working" }, /it is the working node$/u],
  [
    { role: "standby", working: "10.0.0.2:4871" },
    /standby node, and the working node is at 10\.0\.0\.2:4871$/u,
  ],
  [{ role: "standby" }, /standby node, and no node is working$/u],
] as const)("the doctor reports the role of a node: %j", (node, said) => {
  const status = {
    version: "1.0.0",
    pid: 1,
    url: "http://127.0.0.1:4870",
    startedAtMs: 0,
    runningMs: 7_200_000,
    agents: [],
    tools: [],
    ...(node && { node }),
  } satisfies GatewayStatus;
  const scene = { gateway: { is: "running", status }, settings: { dataDir: "/data" } };
  const [finding] = checkGateway(scene as unknown as Scene);
  expect(finding?.text).toMatch(said);
});
