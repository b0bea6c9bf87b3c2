import { guideBlock } from "../guide-block.ts";
import { MACHINE } from "./engine.ts";
import { ask, signInWith } from "./person.ts";
import { must, type Place, runCommands, toCommands, untilHealthy, untilReady } from "./place.ts";

const NAME = "holdpoint";
const URL = "http://127.0.0.1:4870";
/** The time from SIGTERM to its end. */
const STOP_MS = 5000;

/** Conditions in the container, by the output of a failed one. */
const INSIDE = {
  "It does not run as node": `test "$(id -un)" = node`,
  "It has capabilities": `grep -q '^CapEff:[[:space:]]0*$' /proc/1/status`,
  "Its root can be written to": `! touch /new 2>/dev/null`,
  "Its program can be changed": `! touch /usr/local/lib/node_modules/holdpoint/new 2>/dev/null`,
  "Its folders cannot be written to":
    "for each in /data /work /home/node /tmp; do touch $each/new && rm $each/new; done",
  "Others can read its data": `test -z "$(find /data -perm /077)"`,
  "What an agent leaves behind stays": `(sleep 0.1 &); sleep 0.5; ! grep -q '^State:.Z' /proc/[0-9]*/status`,
};

/**
 * Builds the image, runs it as the guide describes, checks it from both sides, and replaces it with another
 * container.
 */
export async function tryImage({ engine, print }: Place): Promise<void> {
  const block = guideBlock("guides/operations.md", "docker run");
  const [build = "", run = "", logs = ""] = toCommands(block);
  await runCommands(engine, build);
  print("the image is built");

  await runCommands(engine, run);
  await untilReady(URL);
  await using person = await signInWith(() => runCommands(engine, logs));
  const asked = await ask(person, URL);
  print("it answers, and its launch link signs in");
  for (const [problem, command] of Object.entries(INSIDE)) {
    must((await engine.try("exec", NAME, "sh", "-c", command)).code === 0, `${problem}.`);
  }
  print(
    "it is the user node without capabilities, writes to its volumes alone, and keeps its data closed",
  );
  const look = `fetch("http://${MACHINE}:4870/readyz").then(() => process.exit(1), () => undefined)`;
  await engine.run("run", "--rm", "--entrypoint", "node", NAME, "-e", look);
  print("another container does not reach it");
  await untilHealthy(engine, NAME);
  print("Docker finds it healthy");

  const stoppingAtMs = performance.now();
  await engine.run("stop", NAME);
  const tookMs = performance.now() - stoppingAtMs;
  const code = await engine.run("inspect", "--format={{.State.ExitCode}}", NAME);
  must(code === "0", `It ended with ${code}.`);
  must(tookMs < STOP_MS, `It took ${tookMs} ms to end.`);
  await engine.run("rm", NAME);
  // With a terminal, as the guide describes for another link.
  await runCommands(engine, run.replace("docker run", "docker run --tty"));
  await untilReady(URL);
  await asked.allow(person);
  print("SIGTERM ends it in time, and what was pending is answered in another container");

  await engine.run("exec", NAME, "holdpoint", "link");
  await using _ = await signInWith(() => engine.logs(NAME));
  const next = await ask(person, URL);
  await engine.run("kill", NAME);
  await engine.run("start", NAME);
  await untilReady(URL);
  await next.allow(person);
  print("with a terminal it shows another link; killed and started, it still has what was pending");
  await engine.run("stop", NAME);
  await engine.run("rm", NAME);
  const isolated = guideBlock("guides/isolation.md", "docker run")
    .replace("-it", "")
    .replace("$PWD", "holdpoint-work")
    .replace("start", "doctor");
  must(
    (await runCommands(engine, isolated)).includes("tested, and it works"),
    "An agent is not isolated.",
  );
  print("agents are isolated in it, as the guide has it");
}
