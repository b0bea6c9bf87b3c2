import { expect, test } from "vitest";

import { parseConfig } from "./config-file.ts";
import { assertIssuersNamed } from "./responders-config.ts";

const HOUSE = { issuer: "https://login.example.org", clientId: "holdpoint" };
const OTHER = { issuer: "https://other.example.org", clientId: "holdpoint" };
const named = (issuer?: string) => ({
  tools: { Bash: { who: [{ group: "ops", ...(issuer !== undefined && { issuer }) }] } },
});

test("with several issuers a policy names its own, and never one that there is not", () => {
  for (const [responders, issuers, problem] of [
    [named(), [HOUSE], undefined],
    [named("https://login.example.org/"), [HOUSE, OTHER], undefined],
    [named(), [HOUSE, OTHER], "names its `issuer`"],
    [named("https://evil.example.org"), [HOUSE], "does not have"],
    [named(), [], undefined],
  ] as const) {
    const check = () => assertIssuersNamed(responders, { issuers: [...issuers] });
    if (problem === undefined) expect(check()).toBeUndefined();
    else expect(check).toThrow(problem);
  }
});

test("the config file of a folder cannot say who may answer", () => {
  const content = { responders: { default: { need: 2 } } };
  const directory = { kind: "directory", userConfigPath: "/home/ada/config.json" } as const;
  expect(() => parseConfig("config.json", content, directory)).toThrow("responders");
  expect(parseConfig("config.json", content, { kind: "person" })).toEqual(content);
  const steps = { default: { steps: [{ who: [{ person: "bob" }], afterMs: 1000 }] } };
  expect(() => parseConfig("config.json", { responders: steps }, { kind: "person" })).toThrow();
});
