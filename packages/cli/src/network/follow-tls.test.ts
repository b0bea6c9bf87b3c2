import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { createCertificate } from "@holdpoint/server/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { followTls, type Tls } from "./follow-tls.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-tls-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces a file as programs that renew certificates do. */
function put(name: "cert.pem" | "key.pem", text: string): void {
  writeFileSync(join(folder, "new"), text, { mode: 0o600 });
  renameSync(join(folder, "new"), join(folder, name));
}

test("a certificate is used as soon as its files change, and a broken one is reported once and not used", async () => {
  const [first, second, third] = [createCertificate(), createCertificate(), createCertificate()];
  put("cert.pem", first.cert);
  put("key.pem", first.key);
  const server = createServer({ cert: first.cert, key: first.key });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const served = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString().trim() ?? "");
        socket.destroy();
      }).on("error", reject);
    });
  const clock = new SimulatedClock();
  const problems: string[] = [];
  const files = { certPath: join(folder, "cert.pem"), keyPath: join(folder, "key.pem") };
  const onChange = (tls: Tls): void => server.setSecureContext(tls);
  const onProblem = (problem: string): void => void problems.push(problem);
  {
    using following = await followTls({ files, clock, onChange, onProblem });
    /** Waits until the files are checked, and the next check is planned. */
    const look = async (): Promise<void> => {
      const before = clock.madeCount;
      await clock.advance(5000);
      await expect.poll(() => clock.madeCount).toBeGreaterThan(before);
    };
    expect(following).toBeDefined();
    await look();
    expect(await served()).toBe(first.cert.trim());

    put("cert.pem", second.cert);
    await look();
    expect(problems).toEqual([]);
    put("key.pem", second.key);
    await look();
    expect(await served()).toBe(second.cert.trim());
    expect(problems).toEqual([]);

    put("key.pem", third.key);
    for (let round = 0; round < 4; round += 1) await look();
    expect(problems).toEqual([
      expect.stringMatching(
        /^The new certificate cannot be used \(.*mismatch\)\. The previous one stays/u,
      ),
    ]);
    rmSync(files.certPath);
    for (let round = 0; round < 3; round += 1) await look();
    expect(problems).toHaveLength(2);
    expect(await served()).toBe(second.cert.trim());

    put("cert.pem", third.cert);
    await look();
    expect(await served()).toBe(third.cert.trim());
  }
  expect(clock.timerCount).toBe(0);
  server.close();
});
