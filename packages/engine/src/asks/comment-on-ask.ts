import type { Ask, Caller, CommentBody } from "@holdpoint/protocol";

import { addNote } from "../interaction/notes.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { FetchAskParts } from "./fetch-ask.ts";
import { findOwnAsk } from "./own-ask.ts";
import { showAsk } from "./show-ask.ts";

type CommentOnAskParts = Pick<
  FetchAskParts,
  "callbacks" | "clock" | "settle" | "store" | "toCardUrl"
>;

/** Adds a program's comment to its own ask, under the name shown on the ask. */
export async function commentOnAsk(
  parts: CommentOnAskParts,
  caller: Caller,
  interactionId: string,
  { text }: CommentBody,
): Promise<Ask> {
  const stored = await findOwnAsk(parts.store, caller, interactionId);
  const { agentId = caller.client } = stored.interaction;
  const { client, at } = toResponder(caller, parts.clock.now());
  const by = { person: agentId, client, at };
  const note = { type: "comment", text, program: true } as const;
  return showAsk(parts, await addNote(parts, stored, note, by));
}
