// npm run try:recipes: runs the LangGraph recipe of guides/programs.md with the real package (83 MB, in a temporary folder) and the
// built package, which it builds. Exits with 1 when it does not work.
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { Api, until } from "../e2e/support/api.ts";
import { startGateway } from "../e2e/support/gateway-process.ts";
import { buildGateway } from "./build-gateway.ts";
import { installInto } from "./publish/install-into.ts";
import { GRAPH_PROGRAM } from "./recipes/graph-program.ts";

const LANGGRAPH = "@langchain/langgraph";
const RUN_MS = 120_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), "holdpoint-recipes-"));
try {
  buildGateway();
  const said = execFileSync(
    "npm",
    ["pack", "--json", "./dist/holdpoint", "--pack-destination", folder],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const [{ filename }] = JSON.parse(said) as [{ filename: string }];
  writeFileSync(join(folder, "package.json"), `{"private":true,"type":"module"}`);
  installInto(folder, [join(folder, filename), LANGGRAPH, "@langchain/core"]);
  copyFileSync("guides/examples/resume-graph.ts", join(folder, "resume-graph.ts"));
  writeFileSync(join(folder, "graph.ts"), GRAPH_PROGRAM);
  print(`  works: ${await runGraph()}`);
} catch (problem: unknown) {
  print(`  FAILED: ${problem instanceof Error ? problem.message : String(problem)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Runs the graph with a yes to one of two nodes that wait in parallel, and a no to the other. */
async function runGraph(): Promise<string> {
  await using gateway = await startGateway();
  const api = new Api(gateway.url);
  interface Issued {
    readonly token: string;
    readonly sessionId: string;
  }
  const label = { label: "Graph" };
  const { token, sessionId } = (await api.call<Issued>("POST", "/auth/agent-tokens", label)).body;
  const run = promisify(execFile)(process.execPath, ["graph.ts", gateway.url, token], {
    cwd: folder,
    timeout: RUN_MS,
  });
  const answer = async (question: string, action: "approve" | "deny"): Promise<void> => {
    const asked = await until(async () => {
      const open = await api.interactions(sessionId, "pending");
      return open.find(({ prompt }) => prompt === question);
    }, question);
    const digest = action === "approve" ? { digest: asked.approval?.digest } : {};
    const { status } = await api.respond(asked.interactionId, { action, ...digest });
    if (status !== 200) throw new Error(`The answer was refused: ${status}.`);
  };
  const answered = answer("Publish it?", "approve").then(() => answer("Pay for it?", "deny"));
  const [{ stdout }] = await Promise.all([run, answered]);
  const did = JSON.parse(stdout) as [string, boolean][];
  const isRight = did.every(([name, allowed]) => allowed === (name === "publish"));
  if (did.length !== 2 || !isRight) throw new Error(`The nodes did ${stdout}`);
  return `${LANGGRAPH}: of two nodes that wait beside each other each has its own answer, once`;
}
