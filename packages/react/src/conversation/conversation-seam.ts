import { preloadCards } from "../cards/cards-seam.ts";
import { preloadMarkdown } from "../parts/markdown.tsx";
import { createSeam, type Seam } from "../parts/seam.tsx";
import type * as Parts from "./conversation-parts.ts";

/** What a conversation shows besides its messages and cards. */
export const CONVERSATION: Seam<typeof Parts> = createSeam(() => import("./conversation-parts.ts"));

/** Loads the code of cards and conversations ahead of its first use. A failure is shown at the first use. */
export async function preloadConversation(): Promise<void> {
  await Promise.allSettled([preloadCards(), preloadMarkdown(), CONVERSATION.load()]);
}
