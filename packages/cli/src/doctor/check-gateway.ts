import type { GatewayStatus } from "../control/control-message.ts";
import { controlPath } from "../control/control-path.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";
import { inWords } from "./words.ts";

/** The system's limit for a socket's path. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Checks whether a gateway uses the data folder, and whether the command line reaches it. */
export function checkGateway({ gateway, settings: { dataDir } }: Scene): Finding[] {
  const findings = new Findings("Gateway");
  const path = controlPath(dataDir);
  const isTooLong = process.platform !== "win32" && Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES;
  switch (gateway.is) {
    case "running": {
      const { url, pid, runningMs, node } = gateway.status;
      const said = `process ${pid} runs at ${url} for ${inWords(runningMs)}${roleOf(node)}`;
      findings.ok(said, { pid, url, runningMs, ...(node && { node }) });
      return findings.list;
    }
    case "none":
      findings.ok("none runs with this data folder");
      break;
    case "gone":
      findings.problem(
        `${path} was left by a gateway that was killed.`,
        "The next start removes it.",
        { path },
      );
      break;
    case "unreachable":
      if (isTooLong) break;
      findings.problem(
        `it runs, but the command line cannot reach it (${gateway.reason}).`,
        "If it has just been started, wait a moment and run this command again. Otherwise stop it and start it again; pending interactions are kept.",
      );
      break;
    case "silent":
      findings.problem(
        `it does not answer (${gateway.reason}).`,
        "Stop it and start it again; pending interactions are kept.",
      );
      break;
    case "other_version":
      findings.note("a gateway of another version runs.", "Stop it and start it again.");
  }
  if (isTooLong) {
    findings.problem(
      `the path of ${path} is too long for a socket, so the command line cannot reach a gateway here.`,
      "Choose a data folder with a shorter path with --data-dir.",
    );
  }
  return findings.list;
}

/** A text about the node's role; empty for a gateway without other nodes. */
function roleOf(node: GatewayStatus["node"]): string {
  if (!node) return "";
  if (node.role === "working") return "; it is the working node";
  const working =
    node.working === undefined ? "no node is working" : `the working node is at ${node.working}`;
  return `; it is a standby node, and ${working}`;
}
