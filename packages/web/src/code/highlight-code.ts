import { createBrowserClock } from "@holdpoint/client";

import { createCodeHighlighter } from "./code-highlighter.ts";
import { startWorker } from "./start-worker.ts";

import "@holdpoint/react/styles/code.css";

/** The highlighter of this page. */
export const codeHighlighter = createCodeHighlighter({
  start: startWorker,
  clock: createBrowserClock(),
});
