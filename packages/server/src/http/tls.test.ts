import { expect, test } from "vitest";

import { createCertificate } from "../testing/create-certificate.ts";
import { hostsOfCertificate } from "./tls.ts";

const NOW_MS = Date.UTC(2026, 0, 1);

test("the hosts are the names and addresses in the certificate, without patterns", () => {
  const tls = createCertificate({ hosts: ["Desk.example", "*.desk.example", "192.0.2.7"] });
  expect(hostsOfCertificate(tls, NOW_MS)).toEqual(["Desk.example", "192.0.2.7"]);
});

test.each<[string, () => { cert: string; key: string }, RegExp]>([
  [
    "text that is no certificate",
    () => ({ ...createCertificate(), cert: "nonsense" }),
    /certificate is not PEM/,
  ],
  ["text that is no key", () => ({ ...createCertificate(), key: "nonsense" }), /no PEM key/],
  [
    "the key of another certificate",
    () => ({ ...createCertificate(), key: createCertificate().key }),
    /do not belong together/,
  ],
  [
    "one that has expired",
    () => createCertificate({ to: new Date(NOW_MS - 1000) }),
    /expired on Dec 31 23:59:59 2025/,
  ],
  [
    "one that is not valid yet",
    () => createCertificate({ from: new Date(NOW_MS + 1000) }),
    /valid only from Jan/,
  ],
  ["one for no host", () => createCertificate({ hosts: [] }), /names no host/],
  ["one for a pattern only", () => createCertificate({ hosts: ["*.example"] }), /names no host/],
])("%s is refused in one line", (_, create, reason) => {
  expect(() => hostsOfCertificate(create(), NOW_MS)).toThrow(reason);
});
