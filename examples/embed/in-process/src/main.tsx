import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import "./quill.css";
import "holdpoint/react/embed.css";
import { App } from "./app.tsx";
import { openOwnGateway } from "./gateway.ts";
import { createLetter } from "./letter.ts";

const letter = createLetter(
  "Hello,\n\nyour order leaves on Friday and is with you on Monday.\n\nBye\nTheo\n",
);
const transport = await openOwnGateway(letter);
const { sessionId } = await transport.createSession({ agent: "editor" });
const root = document.querySelector("#root");
if (root === null) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <App letter={letter} transport={transport} sessionId={sessionId} />
  </StrictMode>,
);
