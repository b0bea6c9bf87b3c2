/**
 * A program of someone who has installed the package: it starts a turn of an agent, renders the agent's request on a
 * server, answers it, and prints one line of JSON once the agent has the answer.
 */
export const CONSUMER = `import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { createHttpTransport, createMemoryDrafts } from "holdpoint/client";
import { InteractionCard } from "holdpoint/react";
import { createElement, version } from "react";
import { renderToPipeableStream } from "react-dom/server";

const [, , baseUrl = "", token = "", agent = "", content = "", answer = ""] = process.argv;
const clientId = "consumer";
await using gateway = createHttpTransport({ baseUrl, token, clientId });
const { sessionId } = await gateway.createSession({ agent });
await gateway.sendMessage(sessionId, { content });

async function asked() {
  for (;;) {
    const { items } = await gateway.listInteractions({ sessionId, status: ["pending"] });
    if (items[0]) return items[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const interaction = await asked();
const { interactionId, approval } = interaction;
const card = createElement(InteractionCard, {
  interaction,
  clientId,
  canRespond: true,
  onRespond: (body) => gateway.respond(interactionId, body),
  drafts: createMemoryDrafts(),
});
const drawn = new PassThrough();
renderToPipeableStream(card, { onShellError: (error) => drawn.destroy(error as Error) }).pipe(drawn);
const html = await text(drawn);
await gateway.respond(
  interactionId,
  !approval
    ? { action: "submit", reply: "As you like." }
    : answer === "deny"
      ? { action: "deny", reason: "Not on a Monday." }
      : { action: "approve", digest: approval.digest },
);
let { status } = await gateway.getInteraction(interactionId);
while (status !== "delivered") {
  await new Promise((resolve) => setTimeout(resolve, 50));
  ({ status } = await gateway.getInteraction(interactionId));
}
console.log(JSON.stringify({ react: version, kind: interaction.kind, html }));
process.exit(0);
`;
