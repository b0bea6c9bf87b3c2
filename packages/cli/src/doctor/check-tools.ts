import { join, resolve } from "node:path";

import { type ToolSummary, urlAt } from "@holdpoint/protocol";

import { readGatewaySecret } from "../compose/gateway-secret.ts";
import { TRUST_FILE } from "../compose/open-folder.ts";
import type { GatewayStatus } from "../control/control-message.ts";
import type { Environment } from "../environment.ts";
import {
  isMeantForGateway,
  readSnapshot,
  type Snapshot,
  SnapshotError,
} from "../trust/snapshot.ts";
import { TrustFile } from "../trust/trust-file.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { type ToolsToTry, tryTools } from "./try-tools.ts";
import { count, quote, reasonOf } from "./words.ts";

/** Node's message when its permission model blocks a program. */
const IS_RESTRICTED = /Access to this API has been restricted/u;

/**
 * Checks the person's own tools. A running gateway has loaded them and reports their state. Otherwise trusted tools are
 * tried in a process that can change nothing; untrusted tools are not run.
 */
export async function checkTools(scene: Scene): Promise<Finding[]> {
  const findings = new Findings("Tools");
  const { gateway } = scene;
  if (gateway.is === "running") {
    const { tools, folder, url } = gateway.status;
    describeTools(findings, tools, "the gateway has loaded");
    if (folder) describeFolder(findings, folder, url);
    return findings.list;
  }
  const { startDirectory, named } = scene;
  const configPath = named === undefined ? undefined : resolve(startDirectory, named);
  const folder = configPath === undefined ? startDirectory : join(configPath, "..");
  try {
    const snapshot = await readSnapshot({ folder, configPath });
    const isNamed = configPath !== undefined;
    if (snapshot === undefined || !(isNamed || isMeantForGateway(snapshot))) {
      findings.ok(`none in ${folder}`);
    } else if (isNamed || (await isTrusted(scene, snapshot))) {
      await tryOut(findings, { folder, configPath, hash: snapshot.hash, env: scene.env });
    } else {
      findings.note(
        `those in ${folder} are not loaded: no one has trusted their current content.`,
        "Start the gateway there, and say yes in its terminal or on the page.",
      );
    }
  } catch (error: unknown) {
    if (!(error instanceof SnapshotError)) throw error;
    findings.problem(error.message, "Nothing of that folder is loaded until this is fixed.");
  }
  return findings.list;
}

/** The open question about files that are not loaded, and where to answer it. */
function describeFolder(
  findings: Findings,
  { path, waiting, inTerminal, problem }: NonNullable<GatewayStatus["folder"]>,
  url: string,
): void {
  if (problem !== undefined) {
    findings.problem(
      `${quote(path)}: ${quote(problem)}`,
      "Correct the folder: nothing new in it is loaded before that.",
      { path, problem },
    );
  }
  if (waiting === 0) return;
  const where = `on the page at ${urlAt(url, "/folder")}`;
  findings.note(
    `${count(waiting, "file")} of ${quote(path)} ${waiting === 1 ? "is" : "are"} not loaded: the gateway asks whether you trust them.`,
    inTerminal ? `Answer in the gateway's own terminal, or ${where}.` : `Answer ${where}.`,
    { path, waiting },
  );
}

async function tryOut(
  findings: Findings,
  tools: ToolsToTry & { readonly env: Environment },
): Promise<void> {
  const tried = await tryTools(tools);
  if (typeof tried !== "string") return describeTools(findings, tried, "can be loaded:");
  findings.problem(
    `those in ${tools.folder}: ${tried}.`,
    "Start the gateway there, and read its output.",
  );
}

async function isTrusted(
  { settings: { dataDir } }: Scene,
  { folder, hash }: Snapshot,
): Promise<boolean> {
  const secret = await readGatewaySecret(dataDir).catch((error: unknown) => reasonOf(error));
  if (secret === undefined || typeof secret === "string") return false;
  return new TrustFile(join(dataDir, TRUST_FILE), secret.derive("trust")).isTrusted(folder, hash);
}

function describeTools(
  findings: Findings,
  tools: readonly ToolSummary[],
  how: "the gateway has loaded" | "can be loaded:",
): void {
  const names = tools.flatMap(({ name }) => name ?? []);
  findings.ok(
    names.length === 0
      ? "none"
      : `${how} ${count(names.length, "tool")}: ${names.map(quote).join(", ")}`,
    { names },
  );
  for (const { source, error } of tools) {
    if (error === undefined) continue;
    const facts = { source, error };
    if (IS_RESTRICTED.test(error)) {
      findings.note(
        `${source} writes a file or starts a program while it is loaded, so it is not loaded here.`,
        "Start the gateway to see whether it can be loaded.",
        facts,
      );
    } else {
      findings.problem(`${source}: ${quote(error)}`, "Fix the file, and trust it again.", facts);
    }
  }
}
