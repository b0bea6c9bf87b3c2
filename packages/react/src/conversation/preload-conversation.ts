import { preloadCards } from "../cards/lazy-cards.tsx";
import { preloadNotes } from "./notes/lazy-notes.tsx";

/** Loads the code of cards and conversations ahead of its first use. A failure is shown at the first use. */
export async function preloadConversation(): Promise<void> {
  await Promise.allSettled([
    preloadCards(),
    preloadNotes(),
    import("../cards/question/preview-content.tsx"),
    import("./tool-detail.tsx"),
    import("./tool-icon.tsx"),
    import("./limited-mode-bar.tsx"),
    import("../words/german.ts"),
    import("./queued-messages.tsx"),
    import("./suggested-prompts.tsx"),
    import("./waiting-jumps.tsx"),
    import("./find-bar.tsx"),
    import("./composer-assist.tsx"),
    import("./attachments/session-attachments.tsx"),
    import("./attachments/message-attachments.tsx"),
    import("../parts/markdown-renderer.tsx"),
    import("../parts/diff-content.tsx"),
    import("./notice.tsx"),
    import("./answer-alike.ts"),
    import("../hooks/take-back-queue.ts"),
    import("../cards/approval/plan-text.tsx"),
  ]);
}
