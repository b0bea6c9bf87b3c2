/** Texts of the inbox, including its announcements and notifications. */
export const INBOX_TEXTS = [
  "Inbox",
  "Close the inbox",
  "No pending requests.",
  "No other pending requests.",
  "When an agent needs you, its request appears here.",
  "No agent waits for these any more; answers go as messages",
  "Allow once or deny {count} identical request with it: {sessions}|Allow once or deny {count} identical requests with it: {sessions}",
  "Waiting for you: {what}",
  "Waiting for you: {n} in all",
  "Settled: {what}",
  "In {folder}",
  "For others to answer",
] as const;
