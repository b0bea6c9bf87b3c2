// Asks what three people have to allow, and lets them, one after the other and with comments between, until it is killed. Says
// what was acknowledged: interaction, person, what they did. argv: data folder.
import { writeSync } from "node:fs";

import { createSystemIds } from "@holdpoint/engine";
import { openResponderScene } from "@holdpoint/engine/testing/responders";
import type { AskBody, Caller } from "@holdpoint/protocol";

import { openSqliteStore } from "../open-sqlite-store.ts";

const PEOPLE = ["ada", "bob", "cyn"];
const BODY: AskBody = {
  kind: "approval",
  label: "deploy",
  prompt: "Deploy?",
  responders: { need: 3 },
};

const [dataDir = ""] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);

const store = await openSqliteStore({ dataDir });
const scene = await openResponderScene({ store, ids: createSystemIds() });
const { gateway } = scene;
const people = await Promise.all(PEOPLE.map((name) => scene.signIn(name)));
const owner = await scene.signIn("olga", {}, "owner");
const { sessionId, tokenId } = await gateway.createAgentToken(owner, { label: "ci" });
const program: Caller = { principal: "agent", person: "olga", client: "ci", sessionId, tokenId };

for (let turn = 0; ; turn += 1) {
  // First what the process before this one has left.
  const { items } = await gateway.listInteractions(owner, { status: ["pending"], limit: 1 });
  const interactionId =
    items[0]?.interactionId ?? (await gateway.createAsk(program, BODY)).interactionId;
  // Nobody is the first one each time.
  for (let at = 0; at < people.length; at += 1) {
    const person = people[(turn + at) % people.length]!;
    await gateway
      .addComment(person, interactionId, { text: `looks ${turn}` })
      .catch(() => undefined);
    const { status } = await scene.approve(person, interactionId);
    if (status !== "accepted") throw new Error("A vote was refused.");
    say(`${interactionId} ${person.person}`);
  }
}
