import type { Clock } from "@holdpoint/engine";

import { readTls, type TlsFiles } from "./read-tls.ts";

/** A renewed certificate is written days before the old one expires. */
const LOOK_MS = 5000;

/** A certificate with its chain, and its private key, both as PEM texts. */
export type Tls = Awaited<ReturnType<typeof readTls>>;

export interface FollowTlsOptions {
  readonly files: TlsFiles;
  readonly clock: Clock;
  /** Installs a new certificate. Throws for an unusable one; the old one then stays in use. */
  readonly onChange: (tls: Tls) => void;
  /** Called once for each problem with the files. */
  readonly onProblem: (problem: string) => void;
}

/**
 * Installs the certificate when its files have changed, without a restart, until disposed. The files are polled, not
 * watched: programs that renew certificates replace links. Certificate and key are written one after the other, so a
 * mismatch is reported only if it persists at the next check.
 */
export async function followTls(options: FollowTlsOptions): Promise<Disposable> {
  const { files, clock, onChange, onProblem } = options;
  let used = textOf(await readTls(files));
  let isClosed = false;
  let timer: Disposable | undefined;
  let suspect: string | undefined;
  let told: string | undefined;
  const look = async (): Promise<void> => {
    const found = await readTls(files).then(
      (tls) => ({ tls, text: textOf(tls) }),
      (error: unknown) => ({ tls: undefined, text: reasonOf(error) }),
    );
    if (isClosed || found.text === used) return;
    try {
      if (!found.tls) throw new Error(found.text);
      onChange(found.tls);
      used = found.text;
    } catch (error: unknown) {
      if (suspect === found.text && told !== found.text) {
        told = found.text;
        onProblem(
          `The new certificate cannot be used (${reasonOf(error)}). The previous one stays in use.`,
        );
      }
      suspect = found.text;
    }
  };
  const schedule = (): void => {
    timer = clock.after(LOOK_MS, () => void look().finally(() => isClosed || schedule()));
  };
  schedule();
  return {
    [Symbol.dispose]() {
      isClosed = true;
      timer?.[Symbol.dispose]();
    },
  };
}

function textOf({ cert, key }: Tls): string {
  return `${cert}\0${key}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
