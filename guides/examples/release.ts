import { ask, createHttpTransport } from "holdpoint/client";
import { z } from "zod";

const release = z.object({
  version: z.string().meta({ title: "Version" }),
  announce: z.boolean().default(true),
});

/** Releases the version that a person enters. `token` is an agent token, which can only ask. */
export async function releaseWhatTheySay(baseUrl: string, token: string): Promise<string> {
  await using gateway = createHttpTransport({ baseUrl, token, clientId: "release" });
  const what = await ask(gateway, { label: "release", prompt: "Release what?", schema: release });
  if (what.status !== "answered") return `Nothing is released: ${what.status}.`;
  const { version, announce } = what.value; // typed by the schema
  const sure = await ask(gateway, {
    label: "release",
    prompt: `Release ${version} now?`,
    input: { version, announce },
    timeoutMs: 60 * 60 * 1000,
    key: `release-${version}`,
  });
  return sure.status === "answered" ? `${version} is released.` : `Not released: ${sure.status}.`;
}
