import { callTool, inOrder, openScriptedModel, say } from "@holdpoint/agents/testing";
import type { Transport } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";

import { until } from "../../e2e/support/api.ts";
import { signInWith } from "./person.ts";
import { must, type Place, untilReady } from "./place.ts";

const NAME = "agent";
const URL = "http://127.0.0.1:4870";
const SECRET = "of-the-token-file-0123456789abcdef01234567";
/** A path that a command's text does not reveal: a command that shows one is refused before it runs. */
const hide = (path: string): string =>
  `$(echo ${Buffer.from(path).toString("base64")} | base64 -d)`;
/** Prints nothing when an agent is isolated. */
const LOOK = `ls -A ${hide("/data")}; cat ${hide("/run/token")} /proc/1/environ; touch /new && echo changed`;
const FLAGS = [
  "--network=host --init --read-only --tmpfs=/tmp --cap-drop=ALL --security-opt=no-new-privileges",
  "--security-opt=seccomp=unconfined --volume=agent-data:/data --volume=agent-home:/home/node",
  "--volume=agent-work:/work --volume=agent-secrets:/run --env=HOLDPOINT_TOKEN_FILE=/run/token",
].flatMap((line) => line.split(" "));

/** Runs Claude in the container, isolated: it sees no secret, and continues in the next container after an approval. */
export async function tryAgent({ engine, print }: Place): Promise<void> {
  await engine.run("build", "--tag", "holdpoint", "deploy");
  const file = "scripts/containers/stand-ins/agent.Dockerfile";
  await engine.run("build", "--tag", NAME, "--file", file, "node_modules/@anthropic-ai");
  const write = `echo ${SECRET} > /run/token && chmod 400 /run/token && chown 1000 /run/token`;
  const asRoot = ["--user=root", "--entrypoint=sh", "--volume=agent-secrets:/run"];
  await engine.run("run", "--rm", ...asRoot, NAME, "-c", write);
  const commands = [`( ${LOOK} ) 2>/dev/null; echo ended`, "echo once >> /work/written"];
  await using model = await openScriptedModel(
    inOrder([
      ...commands.map((command) => [callTool("Bash", { command, description: "Try it" })]),
      [say("Done.")],
    ]),
  );
  const { HOME: _, ...variables } = model.env("/home/node/.claude");
  const env = Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`);
  const start = async (): Promise<void> => {
    const isolated = [NAME, "start", "--isolate", "namespace"];
    await engine.run("run", "--detach", "--name", NAME, ...FLAGS, ...env, ...isolated);
    await untilReady(URL);
  };

  await start();
  await using person = await signInWith(() => engine.logs(NAME));
  const { sessionId } = await person.createSession({ agent: "claude" });
  await person.sendMessage(sessionId, { content: "Go" });
  await allow(person, await nextOf(person, sessionId));
  const asked = await nextOf(person, sessionId);
  const [looked] = model.requests.flatMap(({ results }) => results);
  must(looked?.text.trim() === "ended", `An isolated agent got: ${looked?.text}`);
  print("Claude works in the container, and sees neither data, token nor variables of the gateway");

  // The next one cannot continue from anything that Claude has not written down yet.
  const look = ["grep", "-rqs", "toolu_scripted2", "/home/node/.claude/projects"];
  const isRecorded = async (): Promise<boolean> =>
    (await engine.try("exec", NAME, ...look)).code === 0;
  await until(isRecorded, "Claude's record of the call");
  await engine.run("kill", NAME);
  await engine.run("rm", NAME);
  await start();
  await allow(person, asked);
  await until(
    async () => (await person.getSession(sessionId)).status === "idle",
    "the end of the turn",
  );
  const written = await engine.run("exec", NAME, "cat", "/work/written");
  must(written === "once", `It ran so often: ${written}`);
  print("killed with what Claude asked, another container has it; what is allowed there runs once");
  await engine.run("stop", NAME);
  await engine.run("rm", NAME);
}

function nextOf(person: Transport, sessionId: string): Promise<Interaction> {
  return until(
    async () => (await person.listInteractions({ sessionId, status: ["pending"] })).items[0],
    "what Claude asks",
  );
}

async function allow(person: Transport, { interactionId, approval }: Interaction): Promise<void> {
  await person.respond(interactionId, { action: "approve", digest: approval?.digest ?? "" });
  const isDelivered = async (): Promise<boolean> =>
    (await person.getInteraction(interactionId)).status === "delivered";
  await until(isDelivered, "the delivery");
}
