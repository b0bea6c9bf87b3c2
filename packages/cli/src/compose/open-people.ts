import { open } from "node:fs/promises";

import { assertIssuers, type PeopleOptions } from "@holdpoint/server";

import type { PeopleConfig } from "../config/people-config.ts";
import { UsageError } from "../usage-error.ts";

interface OpenPeopleParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 32 bytes known only to this gateway. */
  readonly key: Uint8Array;
  /** Groups named outside of `admit`. */
  readonly groups?: readonly string[];
}

type SecretPlace = NonNullable<PeopleConfig["issuers"][number]["clientSecret"]>;

/**
 * Settings for people besides the owner, with the secrets of their issuers. Rejects with `UsageError` if a secret is
 * missing.
 */
export async function openPeople(
  { issuers, maxAgeDays, newSessionsFor }: PeopleConfig,
  { env, key, groups }: OpenPeopleParts,
): Promise<PeopleOptions> {
  const whole = await Promise.all(
    issuers.map(async ({ clientSecret, ...issuer }) => ({
      ...issuer,
      ...(clientSecret && { clientSecret: await readSecret(clientSecret, env) }),
    })),
  );
  const options = {
    issuers: whole,
    key,
    groups,
    newSessionsFor,
    ...(maxAgeDays !== undefined && { maxAgeDays }),
  };
  assertIssuers(options);
  return options;
}

async function readSecret(
  place: SecretPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if ("env" in place) return mustHave(env[place.env], `The variable ${place.env}`);
  return mustHave(await readSecretFile(place.file), `The file ${place.file}`);
}

function mustHave(secret: string | undefined, place: string): string {
  const trimmed = secret?.trim();
  if (trimmed) return trimmed;
  throw new UsageError(`${place} should have the secret of an issuer, and is empty.`);
}

async function readSecretFile(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { mode } = await file.stat();
    if (process.platform === "win32" || (mode & 0o077) === 0) return await file.readFile("utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new UsageError(
      `The file ${path} with the secret of an issuer cannot be read (${code}).`,
      {
        cause: error,
      },
    );
  }
  throw new UsageError(`${path} can be read by other users. Make it private: chmod 600.`);
}
