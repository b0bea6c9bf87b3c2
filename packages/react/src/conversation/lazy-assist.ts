import { createLazyPart, type LazyPart } from "../parts/lazy-part.tsx";
import type { ComposerAssistProps } from "./composer-assist.tsx";

/** The suggestions for commands and files in a message field. Loaded on first use. */
export const ASSIST: LazyPart<ComposerAssistProps> = createLazyPart(
  "The suggestions",
  async () => (await import("./composer-assist.tsx")).ComposerAssist,
);

/** Whether a message may contain a command or a file to suggest. */
export function mayAssist(text: string): boolean {
  return /^\/|@/u.test(text);
}
