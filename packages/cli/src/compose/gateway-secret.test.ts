import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openGatewaySecret } from "./gateway-secret.ts";

describe("openGatewaySecret", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "holdpoint-secret-"));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it("gives the same bytes for a purpose after every start, and other bytes for another", async () => {
    const first = await openGatewaySecret(dataDir);
    const second = await openGatewaySecret(dataDir);
    expect(first.derive("credentials")).toHaveLength(32);
    expect(second.derive("credentials")).toEqual(first.derive("credentials"));
    expect(second.derive("trust")).not.toEqual(first.derive("credentials"));
  });

  it("keeps one file, which only its owner can read", async () => {
    await openGatewaySecret(dataDir);
    expect(await readdir(dataDir)).toEqual(["gateway.secret"]);
    const { mode } = await stat(join(dataDir, "gateway.secret"));
    expect(mode & 0o777).toBe(0o600);
  });

  it("recovers from a gateway that was killed while it made the file", async () => {
    await writeFile(join(dataDir, "gateway.secret.new"), "half");
    const secret = await openGatewaySecret(dataDir);
    expect(secret.derive("trust")).toHaveLength(32);
  });

  it("refuses a damaged file, and one that others can read", async () => {
    const path = join(dataDir, "gateway.secret");
    await writeFile(path, "short", { mode: 0o600 });
    await expect(openGatewaySecret(dataDir)).rejects.toThrow("is damaged");
    await writeFile(path, "a".repeat(32));
    await chmod(path, 0o644);
    await expect(openGatewaySecret(dataDir)).rejects.toThrow("can be read by other users");
  });
});
