// Asks for the approval of three people, and has them vote one after the other, with comments in between, until it is
// killed. Prints the acknowledgements: interaction, person, action. argv: data folder.
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
  // First the pending request of the previous process.
  const { items } = await gateway.listInteractions(owner, { status: ["pending"], limit: 1 });
  const interactionId =
    items[0]?.interactionId ?? (await gateway.createAsk(program, BODY)).interactionId;
  // The first person changes each time.
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
