import { expect, test } from "vitest";

import type { GatewayStatus } from "../control/control-message.ts";
import { checkGateway } from "./check-gateway.ts";
import type { Scene } from "./look.ts";

test.each([
  [undefined, /for 2 hours$/u],
  [{ role: "working" }, /of the nodes it is the one that works$/u],
  [
    { role: "standby", working: "10.0.0.2:4871" },
    /stands by, and the one at 10\.0\.0\.2:4871 works$/u,
  ],
  [{ role: "standby" }, /stands by, and none works$/u],
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
