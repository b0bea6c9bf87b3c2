import { connect } from "node:tls";

import { expect, test } from "vitest";

import { createCertificate } from "../testing/create-certificate.ts";
import { serve } from "../testing/serve.ts";

/** The certificate that a new connection gets. */
function servedAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString().trim() ?? "");
      socket.destroy();
    }).on("error", reject);
  });
}

const hosts = ["localhost"];

test("a certificate is replaced while the server runs", async () => {
  const [first, second] = [createCertificate({ hosts }), createCertificate({ hosts })];
  await using served = await serve({ tls: first });
  expect(await servedAt(served.port)).toBe(first.cert.trim());
  served.server.replaceTls(second);
  expect(await servedAt(served.port)).toBe(second.cert.trim());
});

test.each([
  ["for another host", () => createCertificate({ hosts: ["other.example"] }), /not for localhost/u],
  ["that has expired", () => createCertificate({ hosts, to: new Date(0) }), /expired/u],
  [
    "of another key",
    () => ({ ...createCertificate({ hosts }), key: createCertificate().key }),
    /do not belong together/u,
  ],
])("one %s is refused, and the old one stays", async (_, create, reason) => {
  const first = createCertificate({ hosts });
  await using served = await serve({ tls: first });
  expect(() => served.server.replaceTls(create())).toThrow(reason);
  expect(await servedAt(served.port)).toBe(first.cert.trim());
});
