/** The parts of a conversation that are loaded after the first paint. */
export { answerAllIdentical } from "./answer-identical.ts";
export { MessageAttachments } from "./attachments/message-attachments.tsx";
export { SessionAttachments } from "./attachments/session-attachments.tsx";
export { ComposerAssist } from "./composer-assist.tsx";
export { FindBar } from "./find-bar.tsx";
export { LimitedModeBar } from "./limited-mode-bar.tsx";
export { CardNotes } from "./notes/card-notes.tsx";
export { Notice } from "./notice.tsx";
export { QueuedMessages } from "./queued-messages.tsx";
export { SuggestedPrompts } from "./suggested-prompts.tsx";
export { ToolDetail } from "./tool-detail.tsx";
export { ToolIcon } from "./tool-icon.tsx";
export { ToolPictures } from "./tool-pictures.tsx";
export { ToolResult } from "./tool-result.tsx";
export { WaitingJumps } from "./waiting-jumps.tsx";
