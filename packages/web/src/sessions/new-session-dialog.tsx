import {
  ProtocolError,
  type AgentInfo,
  type CreateSessionBody,
  type Session,
} from "@holdpoint/protocol";
import { Button, toCallTroubleWords, useAgents, useTransport, VisibleText } from "@holdpoint/react";
import { useState, type FormEvent, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";

interface NewSessionDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (session: Session) => void;
}

/** Chooses the agent, where it works and what it may do without asking. */
export function NewSessionDialog({ onClose, onCreated }: NewSessionDialogProps): ReactNode {
  const { agents, trouble } = useAgents();
  return (
    <Dialog title="New session" onClose={onClose} className="new-session">
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble.title}. {trouble.wayOut}
        </p>
      )}
      {agents === undefined ? (
        trouble === undefined && <p className="quiet">Looking for agents…</p>
      ) : (
        <NewSessionForm agents={agents} onClose={onClose} onCreated={onCreated} />
      )}
    </Dialog>
  );
}

function NewSessionForm({
  agents,
  onClose,
  onCreated,
}: NewSessionDialogProps & { readonly agents: readonly AgentInfo[] }): ReactNode {
  const transport = useTransport();
  const [chosen, setChosen] = useState(() => agents.find(({ available }) => available));
  const [cwd, setCwd] = useState("");
  const [model, setModel] = useState("");
  const [mode, setMode] = useState<string>();
  const [creating, setCreating] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});

  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (chosen === undefined || creating) return;
    setCreating(true);
    setErrors({});
    const body: CreateSessionBody = {
      agent: chosen.agent,
      ...(cwd.trim() !== "" && { cwd: cwd.trim() }),
      ...(model.trim() !== "" && { model: model.trim() }),
      ...(mode !== undefined && { permissionMode: mode }),
    };
    try {
      onCreated(await transport.createSession(body));
    } catch (error: unknown) {
      setErrors(toErrors(error));
      setCreating(false);
    }
  };
  const choose = (agent: AgentInfo): void => {
    setChosen(agent);
    setMode(undefined);
  };
  return (
    <form onSubmit={(event) => void create(event)} noValidate>
      <fieldset className="agents">
        <legend>Agent</legend>
        {agents.map((agent) => (
          <AgentChoice
            key={agent.agent}
            agent={agent}
            checked={agent.agent === chosen?.agent}
            onChoose={() => choose(agent)}
          />
        ))}
      </fieldset>
      <Field
        label="Directory"
        error={errors["cwd"]}
        help="Where the agent works. Empty: the gateway's own choice."
      >
        {(props) => (
          <input
            {...props}
            className="mono"
            value={cwd}
            placeholder="/path/to/project"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            onChange={(event) => setCwd(event.target.value)}
          />
        )}
      </Field>
      {chosen !== undefined && chosen.permissionModes.length > 0 && (
        <Field
          label="Permission mode"
          error={errors["permissionMode"]}
          help={describeMode(chosen, mode ?? chosen.defaultPermissionMode)}
        >
          {(props) => (
            <select
              {...props}
              value={mode ?? chosen.defaultPermissionMode}
              onChange={(event) => setMode(event.target.value)}
            >
              {chosen.permissionModes.map((info) => (
                <option key={info.mode} value={info.mode}>
                  {info.label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {chosen !== undefined && !chosen.scripted && (
        <Field label="Model" error={errors["model"]} help="Empty: the agent's default.">
          {(props) => (
            <input
              {...props}
              className="mono"
              value={model}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              onChange={(event) => setModel(event.target.value)}
            />
          )}
        </Field>
      )}
      {errors[""] !== undefined && (
        <p className="field-error" role="alert">
          {errors[""]}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" tone="primary" blocked={creating || chosen === undefined}>
          {creating ? "Starting…" : "Start session"}
        </Button>
      </div>
    </form>
  );
}

function AgentChoice({
  agent,
  checked,
  onChoose,
}: {
  readonly agent: AgentInfo;
  readonly checked: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  return (
    <label className="agent" data-unavailable={!agent.available || undefined}>
      <input
        type="radio"
        name="agent"
        value={agent.agent}
        checked={checked}
        disabled={!agent.available}
        onChange={onChoose}
      />
      <span className="agent-words">
        <span className="agent-name">
          <VisibleText text={toAgentName(agent)} />
        </span>
        {!agent.available && agent.unavailableReason !== undefined && (
          <span className="agent-why">
            <VisibleText text={agent.unavailableReason} />
          </span>
        )}
      </span>
    </label>
  );
}

/** Says of a scripted agent that it is one, unless its label does. */
export function toAgentName({ label, scripted }: Pick<AgentInfo, "label" | "scripted">): string {
  return scripted && !label.includes("scripted") ? `${label} (scripted, no model)` : label;
}

interface FieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly children: (props: {
    readonly id: string;
    readonly "aria-describedby": string;
    readonly "aria-invalid": boolean;
  }) => ReactNode;
}

function Field({ label, help, error, children }: FieldProps): ReactNode {
  const id = `field-${label.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": `${id}-note`, "aria-invalid": error !== undefined })}
      <p id={`${id}-note`} className={error === undefined ? "field-help" : "field-error"}>
        {error ?? help}
      </p>
    </div>
  );
}

function describeMode(agent: AgentInfo, mode: string): string | undefined {
  return agent.permissionModes.find((info) => info.mode === mode)?.description;
}

/** Under the field's name; under "" what belongs to none of the fields. */
function toErrors(error: unknown): Readonly<Record<string, string>> {
  const fieldErrors = ProtocolError.isInstance(error) ? error.extras.fieldErrors : undefined;
  if (fieldErrors !== undefined && Object.keys(fieldErrors).length > 0) {
    const known = ["cwd", "permissionMode", "model"];
    const other = Object.keys(fieldErrors).filter((name) => !known.includes(name));
    return other.length === 0
      ? fieldErrors
      : { ...fieldErrors, "": other.map((name) => fieldErrors[name]).join(" ") };
  }
  const { title, wayOut } = toCallTroubleWords(error);
  return { "": `${title}. ${wayOut}` };
}
