import type { AgentModel } from "@holdpoint/protocol";
import { Button, useTransport, VisibleText } from "@holdpoint/react";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";

export interface SessionModel {
  /** The model chosen by a person. */
  readonly model: string | undefined;
  /** The model that the agent has reported using since then. */
  readonly activeModel: string | undefined;
}

interface ModelDialogProps extends SessionModel {
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** The choice of the agent's models. */
export function ModelDialog({ onClose, ...session }: ModelDialogProps): ReactNode {
  const say = useWords();
  const { models, trouble: missing } = useModels(session.sessionId);
  const { changing, trouble, change } = useModelChange(session.sessionId, onClose);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (models) focusUsed(form.current);
  }, [models]);
  const [chosen, setChosen] = useState<string>();
  const wanted = chosen ?? (models && findUsed(models, session)?.model);
  const confirm = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen === undefined) onClose();
    else void change(chosen);
  };
  return (
    <Dialog title={say("Model")} onClose={onClose}>
      <form ref={form} onSubmit={confirm}>
        <p className="quiet">
          {say("The model that the agent uses from now on. A running turn continues with it.")}
        </p>
        {models === undefined && missing === undefined && <output>{say("Loading…")}</output>}
        {missing !== undefined && (
          <p role="alert">
            {say("The agent did not list its models.")} {missing}
          </p>
        )}
        <fieldset className="models" aria-label={say("Model")}>
          {models?.map((one) => (
            <ModelChoice
              key={one.model}
              model={one}
              checked={one.model === wanted}
              onChoose={() => setChosen(one.model)}
            />
          ))}
        </fieldset>
        {trouble !== undefined && (
          <p className="field-error" role="alert">
            {say("Not changed: {trouble}", { trouble })}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{say("Cancel")}</Button>
          <Button type="submit" tone="primary" blocked={changing || wanted === undefined}>
            {say("Use this model")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/**
 * Moves the focus from the dialog's first button to the model in use once models are loaded, so that arrow keys choose
 * a model. Does nothing if the person has moved the focus.
 */
function focusUsed(form: HTMLFormElement | null): void {
  if (document.activeElement !== form?.querySelector("button")) return;
  form?.querySelector<HTMLInputElement>("input:checked")?.focus();
}

interface ModelChoiceProps {
  readonly model: AgentModel;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

function ModelChoice({ model, checked, onChoose }: ModelChoiceProps): ReactNode {
  return (
    <label className="agent">
      <input type="radio" name="model" value={model.model} checked={checked} onChange={onChoose} />
      <span className="agent-words">
        <span className="agent-name">
          <VisibleText text={model.label} />
        </span>
        {model.description !== undefined && (
          <span className="agent-why">
            <VisibleText text={model.description} />
          </span>
        )}
      </span>
    </label>
  );
}

/** The chosen model, unless the agent has since reported another; without a choice, the reported model. */
export function findUsed(
  models: readonly AgentModel[],
  session: SessionModel,
): AgentModel | undefined {
  const { activeModel } = session;
  const fits = ({ resolvesTo }: AgentModel): boolean =>
    activeModel === undefined || (resolvesTo ?? activeModel) === activeModel;
  const chosen = models.find(({ model }) => model === session.model);
  if (chosen && fits(chosen)) return chosen;
  return activeModel === undefined
    ? undefined
    : models.find(({ model, resolvesTo }) => (resolvesTo ?? model) === activeModel);
}

function useModels(sessionId: string): {
  readonly models: readonly AgentModel[] | undefined;
  readonly trouble: string | undefined;
} {
  const transport = useTransport();
  const toTrouble = useTrouble();
  const [models, setModels] = useState<readonly AgentModel[]>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    transport.listModels(sessionId, { signal: leaving.signal }).then(
      ({ items }) => setModels(items),
      (error: unknown) => {
        if (!leaving.signal.aborted) setTrouble(toTrouble(error).text);
      },
    );
    return () => leaving.abort();
  }, [transport, sessionId, toTrouble]);
  return { models, trouble };
}

function useModelChange(
  sessionId: string,
  onChanged: () => void,
): {
  readonly changing: boolean;
  readonly trouble: string | undefined;
  readonly change: (model: string) => Promise<void>;
} {
  const transport = useTransport();
  const toTrouble = useTrouble();
  const [changing, setChanging] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const change = async (model: string): Promise<void> => {
    setChanging(true);
    setTrouble(undefined);
    try {
      await transport.updateSession(sessionId, { model });
      onChanged();
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
      setChanging(false);
    }
  };
  return { changing, trouble, change };
}
