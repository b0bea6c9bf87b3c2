import { expect, test } from "vitest";

import { agentEnvironment, withoutOwn } from "./agent-environment.ts";

const HOSTS = "127.0.0.1,localhost,::1,[::1]";
/** Makes a program reach this machine without a proxy. */
const DIRECT = { NO_PROXY: HOSTS, no_proxy: HOSTS };

test("an agent reaches this machine without a proxy, and keeps its settings for other hosts", () => {
  const direct = (given: Record<string, string>) => {
    const { NO_PROXY, no_proxy } = agentEnvironment({ ALL_PROXY: "http://proxy:1", ...given });
    return [NO_PROXY, no_proxy];
  };
  expect(direct({})).toEqual([HOSTS, HOSTS]);
  expect(direct({ NO_PROXY: "", no_proxy: " " })).toEqual([HOSTS, HOSTS]);
  const both = `a.example,.b.example,${HOSTS}`;
  expect(direct({ NO_PROXY: "a.example, .b.example" })).toEqual([both, both]);
  expect(direct({ no_proxy: "a.example .b.example" })).toEqual([both, both]);
  expect(direct({ NO_PROXY: "a", no_proxy: "b" })).toEqual([`a,${HOSTS}`, `b,${HOSTS}`]);
  expect(direct({ NO_PROXY: "*" })).toEqual(["*", "*"]);
  const some = "localhost,127.0.0.1,::1,[::1]";
  expect(direct({ NO_PROXY: "localhost" })).toEqual([some, some]);
});

test("an agent's environment contains only general variables and those named for it", () => {
  const needed = {
    PATH: "/usr/bin",
    HOME: "/home/ada",
    LC_ALL: "C.UTF-8",
    XDG_CACHE_HOME: "/cache",
    https_proxy: "http://proxy:8080",
    SSL_CERT_FILE: "/ca.pem",
    SystemRoot: "C:\\Windows",
    "ProgramFiles(x86)": "C:\\Programs",
  };
  const secrets = {
    AWS_SECRET_ACCESS_KEY: "s",
    GITHUB_TOKEN: "s",
    NPM_TOKEN: "s",
    DATABASE_URL: "s",
    SSH_AUTH_SOCK: "/agent",
    NODE_OPTIONS: "--require=/evil.js",
    LD_PRELOAD: "/evil.so",
    OPENAI_API_KEY: "s",
    ANTHROPIC_API_KEY: "s",
    PATH_TO_SECRET: "s",
    MY_PATH: "s",
    HOMEBREW_TOKEN: "s",
  };
  const environment = { ...needed, ...secrets, UNSET: undefined };
  expect(agentEnvironment(environment)).toEqual({ ...needed, ...DIRECT });
  expect(agentEnvironment(environment, ["ANTHROPIC_*", "database_url"])).toEqual({
    ...needed,
    ...DIRECT,
    ANTHROPIC_API_KEY: "s",
    DATABASE_URL: "s",
  });
});

test("an agent's environment contains no HOLDPOINT_ variable, however it is spelled or configured", () => {
  const own = { HOLDPOINT_TOKEN: "secret", holdpoint_data_dir: "/data", Holdpoint_: "" };
  const environment = { PATH: "/usr/bin", ...own, MY_HOLDPOINT_TOKEN: "kept" };
  expect(agentEnvironment(environment, ["HOLDPOINT_TOKEN", "holdpoint_*", "*"])).toEqual({
    PATH: "/usr/bin",
    MY_HOLDPOINT_TOKEN: "kept",
    ...DIRECT,
  });
  expect(withoutOwn(environment)).toEqual({ PATH: "/usr/bin", MY_HOLDPOINT_TOKEN: "kept" });
  expect(environment.HOLDPOINT_TOKEN).toBe("secret");
});
