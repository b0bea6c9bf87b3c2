import { redirectUris } from "../config/redirect-uris.ts";
import { SETTINGS } from "../config/settings-table.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { reasonOf } from "./words.ts";

const LIMIT_MS = 5000;
const DISCOVERY = ".well-known/openid-configuration";

/** Checks whether each issuer can be reached, and reports the redirect URI to register there. */
export async function checkPeople({ settings, gateway }: Scene): Promise<Finding[]> {
  const findings = new Findings("People");
  const port = settings.port || SETTINGS.port.default;
  const url = gateway.is === "running" ? gateway.status.url : `http://127.0.0.1:${port}`;
  for (const { issuer, redirectUri } of redirectUris(settings, url)) {
    const facts = { issuer, redirectUri };
    const problem = await findProblem(issuer);
    if (problem === undefined) {
      findings.ok(`${issuer} can be reached; its redirect URI here is ${redirectUri}`, facts);
    } else {
      findings.problem(
        `${issuer} ${problem}.`,
        `No one can sign in with it until it answers. Its redirect URI here is ${redirectUri}.`,
        facts,
      );
    }
  }
  return findings.list;
}

async function findProblem(issuer: string): Promise<string | undefined> {
  try {
    const at = new URL(DISCOVERY, issuer.endsWith("/") ? issuer : `${issuer}/`);
    const answer = await fetch(at, { redirect: "error", signal: AbortSignal.timeout(LIMIT_MS) });
    if (!answer.ok) return `answers with ${answer.status}`;
    const said = (await answer.json()) as { issuer?: unknown } | null;
    return said?.issuer === issuer ? undefined : "reports another issuer than the config names";
  } catch (error: unknown) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return `cannot be reached (${reasonOf(cause)})`;
  }
}
