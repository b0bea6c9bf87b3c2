import { hkdfSync, randomBytes } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { UsageError } from "../usage-error.ts";

/** In the data folder. */
export const SECRET_FILE = "gateway.secret";
const SECRET_BYTES = 32;
const LOSS = "every device signs in again";

/** What only this gateway knows. What it signs with it, nobody else can have written into its data folder. */
export interface GatewaySecret {
  /** 32 bytes for one purpose, always the same for the same purpose. They say nothing of those for another. */
  derive(purpose: string): Buffer;
}

/**
 * Reads the secret of a data folder, and makes it at the first start. The caller holds the writer's lock. Rejects with
 * `UsageError` when the file is damaged, or when other users of the machine can read it.
 */
export async function openGatewaySecret(dataDir: string): Promise<GatewaySecret> {
  return toSecret(await openSecretBytes(dataDir));
}

/** The 32 bytes themselves. */
export function openSecretBytes(dataDir: string): Promise<Buffer> {
  return openSecretFile(join(dataDir, SECRET_FILE), { make: makeSecret, loss: LOSS });
}

function makeSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Reads it, and makes none where there is none. Rejects as `openGatewaySecret` does. */
export async function readGatewaySecret(dataDir: string): Promise<GatewaySecret | undefined> {
  const secret = await read(join(dataDir, SECRET_FILE), LOSS);
  return secret && toSecret(secret);
}

export function toSecret(secret: Uint8Array): GatewaySecret {
  return {
    derive: (purpose) =>
      Buffer.from(hkdfSync("sha256", secret, "", `holdpoint ${purpose}`, SECRET_BYTES)),
  };
}

interface SecretFileOptions {
  /** Makes 32 bytes at the first start. */
  readonly make: () => Buffer;
  /** What happens when the file is deleted. */
  readonly loss: string;
}

/** A file of 32 bytes that only its owner can read. Rejects as `openGatewaySecret` does. */
export async function openSecretFile(
  path: string,
  { make, loss }: SecretFileOptions,
): Promise<Buffer> {
  return (await read(path, loss)) ?? create(path, make());
}

async function read(path: string, loss: string): Promise<Buffer | undefined> {
  const entry = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (entry === undefined) return undefined;
  if (process.platform !== "win32" && (entry.mode & 0o077) !== 0) {
    throw new UsageError(`${path} can be read by other users. Make it yours alone: chmod 600.`);
  }
  const secret = await readFile(path);
  if (secret.length === SECRET_BYTES) return secret;
  throw new UsageError(`${path} is damaged. Restore it from a backup, or delete it: then ${loss}.`);
}

/** Written whole or not at all, so that a gateway that is killed here leaves no half of a secret. */
async function create(path: string, secret: Buffer): Promise<Buffer> {
  const whole = `${path}.new`;
  await rm(whole, { force: true });
  await writeFile(whole, secret, { mode: 0o600, flag: "wx", flush: true });
  await link(whole, path);
  await rm(whole);
  return secret;
}
