import { resolve } from "node:path";

import { isLoopback } from "@holdpoint/server";

import type { Flags } from "../command-line.ts";
import type { TlsFiles } from "../network/read-tls.ts";
import { UsageError } from "../usage-error.ts";
import type { Variables } from "../variables.ts";
import type { ConfigFile } from "./config-file.ts";

/** The gateway's addresses, and the settings that protect its connections. */
export interface NetworkSettings {
  readonly host: string;
  /** The address that people use, if it differs. */
  readonly publicUrl?: string;
  readonly tls?: TlsFiles;
  /** Addresses and networks of the proxies that are trusted to report a client's address. */
  readonly trustProxy: readonly string[];
}

interface Sources {
  readonly flags: Flags;
  readonly file: ConfigFile;
  /** The directory in which the command was started. */
  readonly startDirectory: string;
}

/** Throws `UsageError` for settings that would let answers cross a network unencrypted. */
export function resolveNetwork(sources: Sources, variables: Variables): NetworkSettings {
  const { flags, file } = sources;
  const publicUrl = flags["public-url"] ?? variables.PUBLIC_URL ?? file.publicUrl;
  if (publicUrl !== undefined) assertEncrypted(publicUrl);
  const tls = resolveTls(sources, variables);
  const settings = {
    host: flags.host ?? variables.HOST ?? file.host ?? "127.0.0.1",
    trustProxy: toList(flags["trust-proxy"] ?? variables.TRUST_PROXY) ?? [],
    ...(publicUrl !== undefined && { publicUrl }),
    ...(tls && { tls }),
  };
  assertMayBind(settings);
  return settings;
}

/**
 * A warning about a public URL that shares its origin with other pages; `undefined` if the gateway has its own origin.
 */
export function neighbourWarning(publicUrl: string | undefined): string | undefined {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (!url || url.pathname === "/") return undefined;
  return `The public URL has a path. Every other page at ${url.origin} can use what this gateway's page keeps in the browser, and answer as its person. Give it a host name or a port of its own, unless you trust them all as much.`;
}

/** The parts of a comma-separated text. */
export function toList(text: string | undefined): string[] | undefined {
  return text?.split(",").map((part) => part.trim());
}

function resolveTls(
  { flags, startDirectory }: Sources,
  variables: Variables,
): TlsFiles | undefined {
  const cert = flags["tls-cert"] ?? variables.TLS_CERT;
  const key = flags["tls-key"] ?? variables.TLS_KEY;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new UsageError(
      "TLS needs both a certificate and its key: --tls-cert FILE --tls-key FILE.",
    );
  }
  return { certPath: resolve(startDirectory, cert), keyPath: resolve(startDirectory, key) };
}

function assertEncrypted(publicUrl: string): void {
  const url = URL.parse(publicUrl);
  if (url === null) {
    throw new UsageError(
      `The public URL "${publicUrl}" is not a URL. Use one such as https://agents.example.org.`,
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, ""))) {
    throw new UsageError(
      `The public URL ${publicUrl} would let answers cross the network in the clear. Use its https address.`,
    );
  }
}

function assertMayBind({ host, publicUrl, tls, trustProxy }: NetworkSettings): void {
  if (isLoopback(host) || tls || (publicUrl !== undefined && trustProxy.length > 0)) return;
  throw new UsageError(
    `--host ${host} is open to the network. Add --tls-cert FILE --tls-key FILE, or --public-url https://… --trust-proxy CIDR for the proxy that ends TLS, or bind 127.0.0.1.`,
  );
}
