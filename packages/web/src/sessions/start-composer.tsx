import type { AgentInfo, Session } from "@holdpoint/protocol";
import { Button, SuggestedPrompts, useDraft, VisibleText } from "@holdpoint/react";
import { ArrowUp } from "lucide-react";
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";

import { toAgentName } from "./agent-name.ts";
import { FolderChoice } from "./folder-choice.tsx";
import type { FieldErrors } from "./use-create-session.ts";
import { useModeChoice, type ModeChoice } from "./use-mode-choice.tsx";
import { useStartSession } from "./use-start-session.ts";

interface StartComposerProps {
  /** At least one of them is available. */
  readonly agents: readonly AgentInfo[];
  /** The agent that was used last. */
  readonly lastAgent: string | undefined;
  /** To choose from, the best guess first. */
  readonly folders: readonly string[];
  /** The gateway's own folder, which is not named: an agent that touches nothing there works where others may not. */
  readonly ownFolder?: string | undefined;
  readonly onStarted: (session: Session) => void;
}

/** The folder to name: the one that was chosen, else the best guess, unless it is the gateway's own. */
function toCwd(
  { folders, ownFolder }: StartComposerProps,
  chosen: string | undefined,
): { readonly cwd?: string } {
  const cwd = (chosen ?? folders[0] ?? "").trim();
  return cwd === "" || cwd === ownFolder ? {} : { cwd };
}

/** Starts a session with its first message: by which agent, in which folder, and what it may do without asking. */
export function StartComposer(props: StartComposerProps): ReactNode {
  const { agent, folder, mode, ...choices } = useChoices(props);
  const [text, setText] = useDraft("message:home");
  const { starting, errors, start } = useStartSession();

  const begin = async (message: string): Promise<void> => {
    if (agent === undefined || message.trim() === "") return;
    const body = { agent: agent.agent, ...toCwd(props, folder), ...mode.body };
    const session = await start(body, message);
    if (session === undefined) return;
    if (message === text) setText("");
    props.onStarted(session);
  };
  return (
    <>
      <div className="start">
        <div className="hp-composer-box start-box">
          <FirstMessage
            text={text}
            readOnly={starting}
            onText={setText}
            onEnter={() => void begin(text)}
          />
          <div className="start-row">
            <Choice label="Agent" value={agent?.agent} onChoose={choices.chooseAgent}>
              {choices.usable.map((one) => [one.agent, toAgentName(one)])}
            </Choice>
            <FolderChoice
              folders={props.folders}
              folder={folder}
              error={errors["cwd"]}
              onChoose={choices.chooseFolder}
            />
            <Choice label="Permission mode" value={mode.mode} onChoose={mode.choose}>
              {agent?.permissionModes.map((info) => [info.mode, info.label]) ?? []}
            </Choice>
            <Button
              tone="primary"
              iconOnly
              className="hp-composer-send"
              title="Start (Enter)"
              icon={<ArrowUp aria-hidden />}
              blocked={starting || text.trim() === ""}
              onClick={() => void begin(text)}
            >
              Start
            </Button>
          </div>
        </div>
        <StartErrors errors={errors} />
      </div>
      <SuggestedPrompts
        prompts={agent?.suggestedPrompts ?? []}
        blocked={starting}
        onPick={(prompt) => void begin(prompt)}
      />
      {mode.question}
    </>
  );
}

interface FirstMessageProps {
  readonly text: string;
  readonly readOnly: boolean;
  readonly onText: (text: string) => void;
  readonly onEnter: () => void;
}

function FirstMessage({ text, readOnly, onText, onEnter }: FirstMessageProps): ReactNode {
  const hintId = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <>
      <textarea
        className="hp-composer-input"
        rows={2}
        value={text}
        readOnly={readOnly}
        placeholder="What should be done?"
        aria-label="First message"
        aria-describedby={hintId}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={hintId} className="hp-visually-hidden">
        Enter starts a session with this message.
      </p>
    </>
  );
}

interface Choices {
  /** The agents that can be started. */
  readonly usable: readonly AgentInfo[];
  readonly agent: AgentInfo | undefined;
  /** Absent: the first that is offered. */
  readonly folder: string | undefined;
  readonly mode: ModeChoice;
  readonly chooseAgent: (agent: string) => void;
  readonly chooseFolder: (folder: string) => void;
}

function useChoices({ agents, lastAgent }: StartComposerProps): Choices {
  const [agentName, chooseAgent] = useState<string>();
  const [folder, chooseFolder] = useState<string>();
  const usable = agents.filter(({ available }) => available);
  const byName = (name: string | undefined): AgentInfo | undefined =>
    usable.find(({ agent }) => agent === name);
  const agent = byName(agentName) ?? byName(lastAgent) ?? usable[0];
  return { usable, agent, folder, mode: useModeChoice(agent), chooseAgent, chooseFolder };
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChoose: (value: string) => void;
  /** Values, each with its words. */
  readonly children: readonly (readonly [value: string, words: string])[];
}

function Choice({ label, value, onChoose, children }: ChoiceProps): ReactNode {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      {children.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  );
}

function StartErrors({ errors: { cwd, ...others } }: { readonly errors: FieldErrors }): ReactNode {
  const other = Object.values(others).join(" ");
  if (cwd === undefined && other === "") return null;
  return (
    <p className="field-error" role="alert">
      {cwd !== undefined && (
        <>
          Folder: <VisibleText text={cwd} />{" "}
        </>
      )}
      {other} What you typed is kept.
    </p>
  );
}
