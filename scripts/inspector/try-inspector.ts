import { Api, pending, until } from "../../e2e/support/api.ts";
import { type GatewayProcess, startGateway } from "../../e2e/support/gateway-process.ts";
import { type Inspector, type InspectorSaid, openInspector } from "./inspector-program.ts";

interface Way {
  readonly name: string;
  /** `modern`: 2026-07-28, in which it supports tasks. `legacy`: 2025-11-25. */
  readonly era: "legacy" | "modern";
  readonly elicit: "off" | "url";
}

const WAYS: readonly Way[] = [
  { name: "by a task whose page it shows", era: "modern", elicit: "url" },
  {
    name: "by a task alone, called again where the kill has ended its wait",
    era: "modern",
    elicit: "off",
  },
  { name: "by a page while it waits, and the same call again", era: "legacy", elicit: "url" },
  { name: "by waiting, and the same call again", era: "legacy", elicit: "off" },
];

/**
 * How long a restarted gateway keeps the request of a call for the same call, when there is no state or task for it.
 */
const GRACE_MS = 10_000;

interface Scene {
  readonly inspector: Inspector;
  readonly dataDir: string;
  /** The same place after a restart: the Inspector returns to no other. */
  readonly port: string;
  gateway: GatewayProcess;
}

/**
 * Has the Inspector finish a call in each way, across a gateway that is killed. Throws when something does not work.
 */
export async function tryInspector(print: (line: string) => void): Promise<void> {
  await using inspector = await openInspector();
  const gateway = await startGateway();
  const { dataDir, url } = gateway;
  const scene: Scene = { inspector, dataDir, port: new URL(url).port, gateway };
  try {
    for (const way of WAYS) {
      await finishCall(scene, way);
      print(
        `the Inspector finishes a call ${way.name}, across a kill of the gateway, and asks once`,
      );
    }
  } finally {
    await scene.gateway.stop("SIGKILL");
    await gateway[Symbol.asyncDispose]();
  }
}

async function finishCall(scene: Scene, way: Way): Promise<void> {
  const { inspector } = scene;
  const label = { label: `Inspector ${WAYS.indexOf(way)}` };
  const { body } = await new Api(scene.gateway.url).call<{ token: string; sessionId: string }>(
    "POST",
    "/auth/agent-tokens",
    label,
  );
  const { token, sessionId } = body;
  const connection = `way-${WAYS.indexOf(way)}`;
  const place = ["--transport", "http", "--server-url", `${scene.gateway.url}/mcp`];
  const header = ["--header", `Authorization: Bearer ${token}`];
  const kind = ["--connection", connection, "--era", way.era, "--elicit", way.elicit];
  const connect = () => inspector.run("connect", ...place, ...header, ...kind);
  const call = () =>
    inspector.run("--connection", connection, "tools/call", "ask_user", "question:=Which?");
  await connect();
  let called = call();
  called.catch(() => undefined);
  const { interactionId } = await pending(new Api(scene.gateway.url), sessionId);
  if (way.elicit === "url") assertPage(await called, interactionId);
  await restart(scene);
  const restartedAt = performance.now();
  if (way.era === "legacy") {
    await inspector.run("disconnect", connection);
    await connect();
    called = call();
  } else if (way.elicit === "off") {
    // It fails when it has polled its task while the gateway was gone.
    called = called.catch(call);
  }
  const api = new Api(scene.gateway.url);
  await until(async () => (await api.session(sessionId)).status === "waiting", "the same call");
  const shown = way.elicit === "url" ? await called : undefined;
  const tookMs = performance.now() - restartedAt;
  if (way.era === "legacy" && tookMs > GRACE_MS) {
    const seconds = Math.round(tookMs / 1000);
    throw new Error(`This machine is too busy: the same call came only after ${seconds} s.`);
  }
  if (shown) assertPage(shown, interactionId);
  const values = { answer: "Friday" };
  const { status } = await api.respond(interactionId, { action: "submit", values });
  if (status !== 200) throw new Error(`The answer was refused: ${status}.`);
  const id = shown?.elicitationPending?.elicitationId;
  const result = await (id === undefined
    ? called
    : inspector.run("elicitation/respond", id, "--done"));
  const asked = (await api.events(sessionId)).filter(({ type }) => type === "interaction_request");
  const isRight = result.structuredContent?.answer === values.answer && asked.length === 1;
  if (isRight) return;
  throw new Error(`${way.name}: asked ${asked.length} times, it got ${JSON.stringify(result)}`);
}

function assertPage({ elicitationPending }: InspectorSaid, interactionId: string): void {
  if (elicitationPending?.url.endsWith(`/i/${interactionId}`)) return;
  throw new Error(`The Inspector was sent to ${elicitationPending?.url}.`);
}

async function restart(scene: Scene): Promise<void> {
  await scene.gateway.stop("SIGKILL");
  const { dataDir, port } = scene;
  scene.gateway = await startGateway({ dataDir, args: ["--port", port] });
}
