import type { Clock } from "@holdpoint/engine";

import { readTls, type TlsFiles } from "./read-tls.ts";

/** A certificate that is renewed is written days before the old one ends. */
const LOOK_MS = 5000;

/** A certificate with its chain, and its private key, both as PEM texts. */
export type Tls = Awaited<ReturnType<typeof readTls>>;

export interface FollowTlsOptions {
  readonly files: TlsFiles;
  readonly clock: Clock;
  /** Puts another certificate to use. Throws for one that cannot be used: then the old one stays. */
  readonly onChange: (tls: Tls) => void;
  /** Told once what is wrong with files as they are. */
  readonly onProblem: (problem: string) => void;
}

/**
 * Puts a certificate to use when its files have changed, without a restart, until it is disposed. The files are read, not
 * watched: programs that renew certificates replace links. A certificate and a key are written one after the other, so what
 * does not fit is a problem only if it is still so when it is looked at again.
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
