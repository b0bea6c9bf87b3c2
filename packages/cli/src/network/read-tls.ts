import { open } from "node:fs/promises";

import { UsageError } from "../usage-error.ts";

/** Permission bits for all other users of the machine. */
const OTHERS = 0o007;

export interface TlsFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

/**
 * Reads a certificate and its key. Throws `UsageError` if one is unreadable, or if the key is accessible to everyone.
 */
export async function readTls(files: TlsFiles): Promise<{ cert: string; key: string }> {
  const cert = await read("TLS certificate", files.certPath);
  const key = await read("TLS key", files.keyPath);
  if (process.platform !== "win32" && (key.mode & OTHERS) !== 0) {
    throw new UsageError(
      `The TLS key ${files.keyPath} is open to every user of this machine. Run: chmod 600 ${files.keyPath}`,
    );
  }
  return { cert: cert.text, key: key.text };
}

async function read(what: string, path: string): Promise<{ text: string; mode: number }> {
  try {
    await using file = await open(path);
    return { text: await file.readFile("utf8"), mode: (await file.stat()).mode };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new UsageError(`The ${what} ${path} cannot be read (${code}).`, { cause: error });
  }
}
