import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(join("deploy", name), "utf8");

/** The instructions of a Dockerfile, with continued lines joined. */
function instructions(text: string): { readonly name: string; readonly rest: string }[] {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/gu, " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/u.exec(line) ?? [];
      return { name, rest: rest.trim() };
    });
}

const KNOWN = [
  "FROM",
  "COPY",
  "RUN",
  "USER",
  "WORKDIR",
  "ENV",
  "VOLUME",
  "EXPOSE",
  "HEALTHCHECK",
  "ENTRYPOINT",
  "CMD",
];

test("the Dockerfile has only known instructions, and runs nothing as root", () => {
  const found = instructions(read("Dockerfile"));
  expect(found.map(({ name }) => name).filter((name) => !KNOWN.includes(name))).toEqual([]);
  const of = (name: string) => found.filter((each) => each.name === name).map(({ rest }) => rest);
  expect(of("USER")).toEqual(["node"]);
  expect(of("FROM")).toEqual(["node:24-slim"]);
  // Everything after it runs as that user.
  const after = found.slice(found.findIndex(({ name }) => name === "USER"));
  expect(after.map(({ name }) => name)).not.toContain("RUN");
  expect(of("ENTRYPOINT")).toEqual(['["holdpoint"]']);
  for (const text of [...of("ENTRYPOINT"), ...of("CMD"), ...of("VOLUME")]) {
    expect(JSON.parse(text)).toEqual(expect.any(Array));
  }
  // Until the package is published, the name may belong to someone else on a registry.
  expect(of("COPY")).toEqual(["holdpoint-*.tgz /tmp/holdpoint.tgz"]);
  expect(of("RUN").join("\n")).toContain(" /tmp/holdpoint.tgz ");
  expect(read("Dockerfile")).not.toMatch(/TOKEN|PASSWORD|SECRET/u);
});

test("the compose file writes only to volumes, publishes no port, and contains no password", () => {
  const text = read("compose.yaml");
  for (const wanted of [
    "read_only: true",
    "init: true",
    "HOLDPOINT_STORE: postgres://holdpoint@postgres/holdpoint",
    "PGPASSFILE: /run/secrets/pgpass",
    "HOLDPOINT_CLUSTER_SECRET_FILE: /run/secrets/cluster_secret",
    "no-new-privileges:true",
    "cap_drop:\n    - ALL",
    "HOLDPOINT_TRUST_PROXY: 172.30.0.10",
    "subnet: 172.30.0.0/24",
    "POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password",
    "HOLDPOINT_NODE_ADDRESS: 172.30.0.11:4871",
    "HOLDPOINT_NODE_ADDRESS: 172.30.0.12:4871",
  ]) {
    expect(text).toContain(wanted);
  }
  // The process reaper keeps its container's variables readable for every program in the container.
  expect(text).not.toMatch(
    /^\s*(?:ports|privileged|env_file|POSTGRES_PASSWORD|HOLDPOINT_TOKEN|HOLDPOINT_CLUSTER_SECRET):/mu,
  );
  // Two spaces a level, and no tabs.
  const odd = text.split("\n").filter((line) => /\t/u.test(line) || /^(?: {2})* \S/u.test(line));
  expect(odd).toEqual([]);
});

test("the proxy retries other nodes for longer than the detection of a dead node takes", () => {
  const text = read("Caddyfile");
  expect(text).toContain("reverse_proxy 172.30.0.11:4870 172.30.0.12:4870 {");
  const seconds = (name: string) => Number(new RegExp(`${name} (\\d+)s`, "u").exec(text)?.[1]);
  expect(seconds("lb_try_duration")).toBeGreaterThan(2 * seconds("dial_timeout"));
});

test("the systemd unit leaves agent hosts alive, runs as a separate user, and passes systemd's check", () => {
  const text = read("holdpoint.service");
  for (const line of ["KillMode=process", "User=holdpoint", "NoNewPrivileges=true"]) {
    expect(text.split("\n")).toContain(line);
  }
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.filter((line) => !/^\[[A-Z]\w+\]$|^[A-Z]\w+=\S/u.test(line))).toEqual([]);
  expect(verifyUnit(text)).toBe("");
});

/** The messages of `systemd-analyze` about the unit, if this machine has it. */
function verifyUnit(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-unit-"));
  try {
    const file = join(folder, "holdpoint.service");
    writeFileSync(file, text);
    const { error, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], {
      encoding: "utf8",
    });
    if (error) return "";
    return stderr
      .split("\n")
      .filter((line) => line.includes("holdpoint.service"))
      .join("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
