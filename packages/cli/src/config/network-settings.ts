import { isLoopback } from "@holdpoint/server";

import type { TlsFiles } from "../network/read-tls.ts";
import { UsageError } from "../usage-error.ts";
import type { SettingValues } from "./setting-values.ts";

/** Throws `UsageError` for a public URL that would let answers cross a network unencrypted. */
export function assertEncrypted({ publicUrl }: Pick<SettingValues, "publicUrl">): void {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (url?.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, ""))) {
    throw new UsageError(
      `The public URL ${publicUrl} would let answers cross the network in the clear. Use its https address.`,
    );
  }
}

/** Throws `UsageError` for an address that is open to the network without TLS. */
export function assertMayBind({
  host,
  publicUrl,
  tls,
  trustProxy,
}: Pick<SettingValues, "host" | "publicUrl" | "trustProxy"> & { readonly tls?: TlsFiles }): void {
  if (isLoopback(host) || tls || (publicUrl !== undefined && trustProxy.length > 0)) return;
  throw new UsageError(
    `--host ${host} is open to the network. Add --tls-cert FILE --tls-key FILE, or --public-url https://… --trust-proxy CIDR for the proxy that ends TLS, or bind 127.0.0.1.`,
  );
}

/** Throws `UsageError` for a certificate without its key, or the reverse. */
export function resolveTls({
  tlsCert: certPath,
  tlsKey: keyPath,
}: Pick<SettingValues, "tlsCert" | "tlsKey">): TlsFiles | undefined {
  if (certPath === undefined && keyPath === undefined) return undefined;
  if (certPath !== undefined && keyPath !== undefined) return { certPath, keyPath };
  throw new UsageError("TLS needs both a certificate and its key: --tls-cert FILE --tls-key FILE.");
}

/**
 * A warning about a public URL that shares its origin with other pages; `undefined` if the gateway has its own origin.
 */
export function neighbourWarning(publicUrl: string | undefined): string | undefined {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (!url || url.pathname === "/") return undefined;
  return `The public URL has a path. Every other page at ${url.origin} can use what this gateway's page keeps in the browser, and answer as its person. Give it a host name or a port of its own, unless you trust them all as much.`;
}
