import { expect, test } from "vitest";

import { agentEnvironment } from "./agent-environment.ts";

test("an agent's environment holds no HOLDPOINT_ variable, however it is written", () => {
  const environment = {
    PATH: "/usr/bin",
    HOLDPOINT_TOKEN: "secret",
    holdpoint_data_dir: "/data",
    Holdpoint_: "",
    MY_HOLDPOINT_TOKEN: "kept",
    ANTHROPIC_API_KEY: "kept too",
    UNSET: undefined,
  };
  expect(agentEnvironment(environment)).toEqual({
    PATH: "/usr/bin",
    MY_HOLDPOINT_TOKEN: "kept",
    ANTHROPIC_API_KEY: "kept too",
  });
  expect(environment.HOLDPOINT_TOKEN).toBe("secret");
});
