import { hkdfSync, randomBytes } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { UsageError } from "../usage-error.ts";

/** Name of the secret's file in the data folder. */
export const SECRET_FILE = "gateway.secret";
const SECRET_BYTES = 32;
const LOSS = "every device signs in again";

/**
 * The gateway's secret. A signature made with it proves that no one else wrote the signed data into the data folder.
 */
export interface GatewaySecret {
  /** Derives 32 bytes for one purpose, always the same for the same purpose, and independent of other purposes. */
  derive(purpose: string): Buffer;
}

/**
 * Reads the secret of a data folder, and creates it at the first start. The caller holds the writer's lock. Rejects
 * with `UsageError` if the file is damaged or readable by other users of the machine.
 */
export async function openGatewaySecret(dataDir: string): Promise<GatewaySecret> {
  return toSecret(await openSecretBytes(dataDir));
}

/** The 32 bytes of the secret itself. */
export function openSecretBytes(dataDir: string): Promise<Buffer> {
  return openSecretFile(join(dataDir, SECRET_FILE), { make: makeSecret, loss: LOSS });
}

function makeSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Reads the secret without creating one. `undefined`: there is none. Rejects like `openGatewaySecret`. */
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
  /** Creates 32 bytes at the first start. */
  readonly make: () => Buffer;
  /** The consequence of deleting the file, for error messages. */
  readonly loss: string;
}

/** Opens a file of 32 bytes that only its owner can read. Rejects like `openGatewaySecret`. */
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
    throw new UsageError(`${path} can be read by other users. Make it private: chmod 600.`);
  }
  const secret = await readFile(path);
  if (secret.length === SECRET_BYTES) return secret;
  throw new UsageError(`${path} is damaged. Restore it from a backup, or delete it: then ${loss}.`);
}

/** Creates the file atomically, so that a killed gateway leaves no incomplete secret. */
async function create(path: string, secret: Buffer): Promise<Buffer> {
  const whole = `${path}.new`;
  await rm(whole, { force: true });
  await writeFile(whole, secret, { mode: 0o600, flag: "wx", flush: true });
  await link(whole, path);
  await rm(whole);
  return secret;
}
