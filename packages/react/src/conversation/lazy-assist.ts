import { createLazyPart, type LazyPart } from "../parts/lazy-part.tsx";
import type { ComposerAssistProps } from "./composer-assist.tsx";

/** What a field for messages offers while a command or a file is typed in it. Loaded when it is needed. */
export const ASSIST: LazyPart<ComposerAssistProps> = createLazyPart(
  "The suggestions",
  async () => (await import("./composer-assist.tsx")).ComposerAssist,
);

/** Whether a message has anything that something could be offered for. */
export function mayAssist(text: string): boolean {
  return /^\/|@/u.test(text);
}
