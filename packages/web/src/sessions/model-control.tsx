import { toVisibleString, useSession } from "@holdpoint/react";
import { Cpu } from "lucide-react";
import { useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { ModelDialog } from "./model-dialog.tsx";

import "../styles/model.css";

/** Shows the model in use, as reported by the agent, and changes it. */
export function ModelControl({ sessionId }: { readonly sessionId: string }): ReactNode {
  const { model, activeModel } = useSession(sessionId).view;
  const say = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const name = activeModel ?? model;
  const isNext = activeModel === undefined && model !== undefined;
  const shown = name === undefined ? undefined : toVisibleString(name);
  const words =
    shown && (isNext ? say("{model}, starting with the next answer", { model: shown }) : shown);
  return (
    <>
      <button
        type="button"
        className="model"
        aria-haspopup="dialog"
        aria-label={words === undefined ? say("Model") : say("Model: {model}", { model: words })}
        title={words === undefined ? say("Model") : say("Model: {model}", { model: words })}
        data-next={isNext || undefined}
        onClick={() => setIsOpen(true)}
      >
        <Cpu aria-hidden />
        <span className="model-name">{shown?.replace(/^claude-/u, "") ?? say("Model")}</span>
      </button>
      {isOpen && (
        <ModelDialog {...{ sessionId, model, activeModel }} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
