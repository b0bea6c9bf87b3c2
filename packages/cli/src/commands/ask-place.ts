import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { type AskCalls, ClientError, createHttpTransport } from "@holdpoint/client";
import { ProtocolError } from "@holdpoint/protocol";
import envPaths from "env-paths";

import { askGateway } from "../control/ask-gateway.ts";
import type { Environment } from "../environment.ts";
import { UsageError } from "../usage-error.ts";

/** The token with which this user's scripts ask; it allows nothing else. */
const TOKEN_FILE = "ask.token";
const CLIENT_ID = "holdpoint-ask";

export interface AskPlaceOptions {
  readonly url?: string | undefined;
  readonly "data-dir"?: string | undefined;
}

/** The gateway to ask: the named one, or the one that runs on this machine, at its current address. */
export function openAskPlace(flags: AskPlaceOptions, env: Environment): AskCalls {
  const { HOLDPOINT_URL, HOLDPOINT_AGENT_TOKEN, HOLDPOINT_DATA_DIR } = env;
  const url = flags.url ?? (HOLDPOINT_URL || undefined);
  const token = HOLDPOINT_AGENT_TOKEN || undefined;
  if (url !== undefined) {
    if (token !== undefined) return toCalls(async () => ({ url: assertUrl(url), token }));
    throw new UsageError(
      "Missing HOLDPOINT_AGENT_TOKEN. A gateway at a URL needs the token of an agent: run holdpoint agent-token --label NAME there.",
    );
  }
  const named = flags["data-dir"] ?? HOLDPOINT_DATA_DIR;
  const dataDir = resolve(named || envPaths("holdpoint", { suffix: "" }).data);
  return toCalls(async () => {
    const place = await find(askGateway(dataDir, { command: "url" }));
    return { url: place.url, token: token ?? (await ownToken(dataDir)) };
  });
}

function assertUrl(url: string): string {
  if (/^https?:$/u.test(URL.parse(url)?.protocol ?? "")) return url;
  throw new UsageError(
    "Invalid --url. Use the address of a gateway, such as https://holdpoint.example.",
  );
}

/**
 * Converts a failure to reach the gateway into a `ClientError`, since a stopped gateway may come back at another
 * address. An error from the gateway itself is thrown unchanged.
 */
async function find<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error: unknown) {
    if (!(error instanceof UsageError) || error.cause === undefined) throw error;
    if (ProtocolError.isInstance(error.cause)) throw error.cause;
    throw new ClientError("CONNECTION_CLOSED", error.message, { cause: error });
  }
}

type FindPlace = () => Promise<{ readonly url: string; readonly token: string }>;

/** Finds the gateway before each call, since it may have moved. */
function toCalls(findPlace: FindPlace): AskCalls {
  const connect = async () => {
    const { url: baseUrl, token } = await findPlace();
    return createHttpTransport({ baseUrl, token, clientId: CLIENT_ID });
  };
  return {
    createAsk: async (...args) => (await connect()).createAsk(...args),
    getAsk: async (...args) => (await connect()).getAsk(...args),
    withdrawAsk: async (...args) => (await connect()).withdrawAsk(...args),
  };
}

/**
 * The token from the data folder's file, created by the first script that asks. Of two scripts at once, the first one's
 * token counts.
 */
async function ownToken(dataDir: string): Promise<string> {
  const path = join(dataDir, TOKEN_FILE);
  const known = await read(path);
  if (known !== undefined) return known;
  const label = "Scripts on this computer";
  const { token } = await find(askGateway(dataDir, { command: "agent-token", label }));
  const whole = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(whole, token, { mode: 0o600, flag: "wx", flush: true });
    await link(whole, path).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
  } finally {
    await rm(whole, { force: true });
  }
  return (await read(path)) ?? token;
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error: unknown) {
    if (isCode(error, "ENOENT")) return undefined;
    throw new UsageError(`The token in ${path} cannot be read.`, { cause: error });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
