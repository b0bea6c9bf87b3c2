import { describe, expect, test } from "vitest";

import { readVisitAddress } from "./visit-address.ts";

describe("the address of a page that a program wants opened", () => {
  test.each([
    ["https://example.com/a?b=1#c", "example.com", {}],
    ["https://example.com:8443/", "example.com:8443", {}],
    // What looks like a path or another host is where the browser says that it leads.
    ["https:\\\\example.com\\@evil.example/x", "example.com", {}],
    ["https://login.google.com.evil.example/", "login.google.com.evil.example", {}],
    ["https://EXAMPLE.com", "example.com", {}],
    ["http://localhost:3000/x", "localhost:3000", { isLoopback: true }],
    ["http://127.0.0.1/", "127.0.0.1", { isLoopback: true }],
    ["http://2130706433/", "127.0.0.1", { isLoopback: true }],
    ["http://[::1]:80/", "[::1]", { isLoopback: true }],
    ["https://раураl.com/", "xn--l-7sba6dbr.com", { isForeign: true }],
    ["https://аррӏе.example", "xn--80ak6aa92e.example", { isForeign: true }],
    ["https://ex\u200Bample.com", "example.com", {}],
  ])("%j leads to %s", (text, host, more) => {
    expect(readVisitAddress(text)).toEqual({
      address: { href: new URL(text).href, host, isForeign: false, isLoopback: false, ...more },
    });
  });

  test.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "blob:https://example.com/1",
    "vbscript:x",
    "ftp://example.com/",
    "holdpoint://x",
    "//example.com/",
    "/s/1",
    "",
    "http://example.com/",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    "http://169.254.169.254/latest/meta-data",
    "https://google.com@evil.example/",
    "https://user:password@example.com/",
    "https://:x@example.com/",
    `https://example.com/${"a".repeat(5000)}`,
    `https://example.com/${"ä".repeat(1000)}`,
  ])("%j is refused, and not repeated in the error", (text) => {
    const read = readVisitAddress(text);
    expect(read).toEqual({ problem: expect.any(String) });
    expect(JSON.stringify(read)).not.toContain(text || "undefined");
  });
});
