import type { AgentInfo, CreateSessionBody, Session } from "@holdpoint/protocol";
import { Button } from "@holdpoint/react";
import { useState, type FormEvent, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { AgentChoice } from "./agent-choice.tsx";
import { ModeField, TextField } from "./field.tsx";
import { useCreateSession } from "./use-create-session.ts";
import { useModeChoice } from "./use-mode-choice.tsx";

interface NewSessionFormProps {
  readonly agents: readonly AgentInfo[];
  readonly onClose: () => void;
  readonly onCreated: (session: Session) => void;
}

export function NewSessionForm({ agents, onClose, onCreated }: NewSessionFormProps): ReactNode {
  const [chosen, setChosen] = useState(() => agents.find(({ available }) => available));
  /** Absent: the default folder of the chosen agent. */
  const [typed, setTyped] = useState<string>();
  const [model, setModel] = useState("");
  const mode = useModeChoice(chosen);
  const directory = typed ?? chosen?.defaultCwd ?? "";
  const { creating, errors, create } = useCreateSession();
  const say = useWords();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (chosen === undefined) return;
    const session = await create({
      ...toBody(chosen, directory.trim(), model.trim()),
      ...mode.body,
    });
    if (session !== undefined) onCreated(session);
  };
  return (
    <>
      {mode.question}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <AgentChoices agents={agents} chosen={chosen} onChoose={setChosen} />
        <TextField
          label={say("Directory")}
          help={say("The agent works in this directory.")}
          error={errors["cwd"]}
          value={directory}
          placeholder={chosen?.defaultCwd ?? "/path/to/project"}
          onChange={setTyped}
        />
        {chosen !== undefined && (
          <ModeField
            agent={chosen}
            mode={mode.mode}
            error={errors["permissionMode"]}
            onChange={mode.choose}
          />
        )}
        {chosen !== undefined && !chosen.scripted && (
          <TextField
            label={say("Model")}
            help={say("Leave empty for the agent’s default.")}
            error={errors["model"]}
            value={model}
            onChange={setModel}
          />
        )}
        <FormError text={errors[""]} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{say("Cancel")}</Button>
          <Button type="submit" tone="primary" blocked={creating || chosen === undefined}>
            {say(creating ? "Starting…" : "Start session")}
          </Button>
        </div>
      </form>
    </>
  );
}

/** The body, with only the settings that differ from the agent's defaults. */
function toBody(agent: AgentInfo, cwd: string, model: string): CreateSessionBody {
  return {
    agent: agent.agent,
    ...(cwd !== "" && cwd !== agent.defaultCwd && { cwd }),
    ...(model !== "" && !agent.scripted && { model }),
  };
}

function FormError({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null;
  return (
    <p className="field-error" role="alert">
      {text}
    </p>
  );
}

interface AgentChoicesProps {
  readonly agents: readonly AgentInfo[];
  readonly chosen: AgentInfo | undefined;
  readonly onChoose: (agent: AgentInfo) => void;
}

function AgentChoices({ agents, chosen, onChoose }: AgentChoicesProps): ReactNode {
  const say = useWords();
  return (
    <fieldset className="agents">
      <legend>{say("Agent")}</legend>
      {agents.map((agent) => (
        <AgentChoice
          key={agent.agent}
          agent={agent}
          checked={agent.agent === chosen?.agent}
          onChoose={() => onChoose(agent)}
        />
      ))}
    </fieldset>
  );
}
