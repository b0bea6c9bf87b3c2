import { describe, expect, test } from "vitest";

import { parseCommandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";
import type { ConfigFile } from "./config-file.ts";
import { resolveSettings } from "./settings.ts";

interface Given {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly file?: ConfigFile;
}

function settingsFrom({ args = [], env = {}, file = {} }: Given) {
  const { flags } = parseCommandLine(args);
  return resolveSettings({ flags, env, file, startDirectory: "/work", defaultDataDir: "/data" });
}

describe("settings", () => {
  test("flags win over variables, variables over the file, the file over the defaults", () => {
    const file = { port: 1111, cwd: "file", agent: "demo", dataDir: "/file" };
    const env = { HOLDPOINT_PORT: "2222", HOLDPOINT_CWD: "env", HOLDPOINT_AGENT: "claude" };
    expect(settingsFrom({ args: ["--port", "3333"], env, file })).toMatchObject({
      port: 3333,
      cwd: "/work/env",
      agent: "claude",
      dataDir: "/file",
      host: "127.0.0.1",
    });
  });

  test("an empty variable sets nothing", () => {
    const names = [
      "PORT",
      "HOST",
      "DATA_DIR",
      "CWD",
      "AGENT",
      "PUBLIC_URL",
      "TLS_CERT",
      "TLS_KEY",
      "TRUST_PROXY",
      "EMBED_ORIGINS",
      "LOG",
    ];
    const more = ["HOLD_TIMEOUT_MS", "JSON", "OPEN", "TOKEN"];
    const env = Object.fromEntries([...names, ...more].map((name) => [`HOLDPOINT_${name}`, ""]));
    expect(settingsFrom({ env })).toEqual(settingsFrom({}));
  });

  test("the port has a default", () => {
    expect(settingsFrom({})).toMatchObject({ port: 4870 });
    expect(settingsFrom({ file: { port: 0 } })).toMatchObject({ port: 0 });
  });

  test("neither --no-open nor --json opens a browser", () => {
    expect(settingsFrom({}).open).toBe(true);
    expect(settingsFrom({ args: ["--no-open"] }).open).toBe(false);
    expect(settingsFrom({ args: ["start", "--json"] }).open).toBe(false);
    expect(settingsFrom({ env: { HOLDPOINT_OPEN: "0" } }).open).toBe(false);
  });

  test.each([
    ["a port that is no number", { args: ["--port", "http"] }, "http"],
    ["a port out of range", { args: ["--port", "65536"] }, "65536"],
    ["a negative port", { env: { HOLDPOINT_PORT: "-1" } }, "-1"],
    ["a short token", { env: { HOLDPOINT_TOKEN: "x".repeat(31) } }, "HOLDPOINT_TOKEN"],
    ["an invalid public URL", { env: { HOLDPOINT_PUBLIC_URL: "agents" } }, "agents"],
    ["a public URL without TLS", { args: ["--public-url", "http://a.example"] }, "in the clear"],
    ["a bind beyond loopback without TLS", { args: ["--host", "0.0.0.0"] }, "0.0.0.0"],
    [
      "a bind beyond loopback behind a proxy that is not named",
      { args: ["--host", "::"], env: { HOLDPOINT_PUBLIC_URL: "https://a.example" } },
      "::",
    ],
    [
      "a bind beyond loopback behind a proxy without its address",
      { args: ["--host", "::", "--trust-proxy", "10.0.0.1"] },
      "::",
    ],
    ["a certificate without its key", { args: ["--tls-cert", "cert.pem"] }, "--tls-key"],
    ["a key without its certificate", { env: { HOLDPOINT_TLS_KEY: "key.pem" } }, "--tls-cert"],
    ["an unknown log level", { env: { HOLDPOINT_LOG: "loud" } }, "loud"],
    ["an empty folder", { args: ["--data-dir", ""] }, "--data-dir"],
    ["an empty origin", { args: ["--embed-origin", ""] }, "--embed-origin"],
    ["an origin with a path", { args: ["--embed-origin", "https://a.example/"] }, "a.example/"],
    ["an origin that is a pattern", { env: { HOLDPOINT_EMBED_ORIGINS: "*" } }, "*"],
    [
      "an origin that anyone on the network can speak for",
      { env: { HOLDPOINT_EMBED_ORIGINS: "https://a.example,http://a.example" } },
      '"http://a.example"',
    ],
    ["an invalid URL of a collector", { args: ["--otlp", "collector"] }, "--otlp"],
    [
      "a short time to hold an agent",
      { env: { HOLDPOINT_HOLD_TIMEOUT_MS: "999" } },
      "HOLDPOINT_HOLD_TIMEOUT_MS",
    ],
    ["too many idle agents", { args: ["--max-idle-agents", "10000"] }, "0 to 9999"],
    ["an amount with a sign", { args: ["prune", "--days", "-1"] }, "--days"],
    ["an unknown flag", { args: ["--prot", "1"] }, "--prot"],
    ["a flag without its value", { args: ["--port"] }, "--port"],
    ["an unknown command", { args: ["serve"] }, "serve"],
  ])("refuses %s in one line that names it", (_, given, named) => {
    expect(() => settingsFrom(given)).toThrow(UsageError);
    expect(() => settingsFrom(given)).toThrow(named);
    expect(() => settingsFrom(given)).toThrow(/^[^\n]*$/);
  });

  test("pages of other origins may not embed, unless flags, variables or the file name them", () => {
    const embedOrigins = (given: Given): readonly string[] => settingsFrom(given).embedOrigins;
    const file = { embedOrigins: ["https://file.example"] };
    const env = { HOLDPOINT_EMBED_ORIGINS: "https://a.example, http://localhost:5173" };
    const args = ["--embed-origin", "https://b.example", "--embed-origin", "https://c.example"];
    expect(embedOrigins({})).toEqual([]);
    expect(embedOrigins({ file })).toEqual(["https://file.example"]);
    expect(embedOrigins({ env, file })).toEqual(["https://a.example", "http://localhost:5173"]);
    expect(embedOrigins({ args, env, file })).toEqual(["https://b.example", "https://c.example"]);
  });

  test("a bind beyond loopback is accepted with TLS, the gateway's or a named proxy's", () => {
    const behindProxy = {
      args: ["--host", "0.0.0.0", "--trust-proxy", "10.0.0.0/8, 192.0.2.1"],
      env: { HOLDPOINT_PUBLIC_URL: "https://agents.example" },
    };
    expect(settingsFrom(behindProxy)).toMatchObject({
      publicUrl: "https://agents.example",
      trustProxy: ["10.0.0.0/8", "192.0.2.1"],
    });
    const args = ["--host", "0.0.0.0", "--tls-cert", "cert.pem", "--tls-key", "/etc/key.pem"];
    expect(settingsFrom({ args })).toMatchObject({
      tls: { certPath: "/work/cert.pem", keyPath: "/etc/key.pem" },
    });
  });

  test("a store shows in no error, since it can have a password", () => {
    const args = ["--store", "mysql://ada:planted@db"];
    expect(() => settingsFrom({ args })).toThrow(/^Invalid --store\. (?!.*planted)/u);
    expect(settingsFrom({ args: ["--store", "sqlite"] }).store).toBeUndefined();
  });

  test("the token never shows in an error", () => {
    const env = { HOLDPOINT_TOKEN: "t".repeat(32) };
    expect(settingsFrom({ env })).toMatchObject({ token: "t".repeat(32) });
    expect(() => settingsFrom({ env: { HOLDPOINT_TOKEN: "secret" } })).not.toThrow("secret");
  });
});
