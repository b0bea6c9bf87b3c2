import { expect, test } from "vitest";

import { parseConfig } from "./config-file.ts";
import { assertIssuersNamed } from "./responders-config.ts";

const HOUSE = { issuer: "https://login.example.org", clientId: "holdpoint" };
const OTHER = { issuer: "https://other.example.org", clientId: "holdpoint" };
const named = (issuer?: string) => ({
  tools: { Bash: { who: [{ group: "ops", ...(issuer !== undefined && { issuer }) }] } },
});

test("with several issuers a policy must name one of them", () => {
  const check = (responders: ReturnType<typeof named>, ...issuers: (typeof HOUSE)[]) =>
    assertIssuersNamed(responders, { issuers });
  check(named());
  check(named(), HOUSE);
  check(named("https://login.example.org/"), HOUSE, OTHER);
  expect(() => check(named(), HOUSE, OTHER)).toThrow("names its `issuer`");
  expect(() => check(named("https://evil.example.org"), HOUSE)).toThrow("does not have");
  expect(() => check(named("no address"), HOUSE)).toThrow("does not have");
});

test("the config file of a folder cannot decide who may answer", () => {
  const content = { responders: { default: { need: 2 } } };
  const directory = { kind: "directory", userConfigPath: "/home/ada/config.json" } as const;
  expect(() => parseConfig("config.json", content, directory)).toThrow("responders");
  expect(parseConfig("config.json", content, { kind: "person" })).toEqual(content);
  const steps = { default: { steps: [{ who: [{ person: "bob" }], afterMs: 1000 }] } };
  expect(() => parseConfig("config.json", { responders: steps }, { kind: "person" })).toThrow(
    "responders.default",
  );
});
