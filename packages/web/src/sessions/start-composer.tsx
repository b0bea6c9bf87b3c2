import type { AgentInfo, Session } from "@holdpoint/protocol";
import {
  type AssistKeys,
  Button,
  ComposerAssist,
  isComposing,
  mayAssist,
  StartAttachments,
  SuggestedPrompts,
  useDraft,
  VisibleText,
  type PickedFile,
} from "@holdpoint/react";
import { ArrowUp } from "lucide-react";
import {
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";

import { useWords } from "../words/use-words.ts";
import { toAgentName } from "./agent-name.ts";
import { FolderChoice } from "./folder-choice.tsx";
import { toFolders } from "./recent-folders.ts";
import type { FieldErrors } from "./use-create-session.ts";
import { useModeChoice, type ModeChoice } from "./use-mode-choice.tsx";
import { useStartSession } from "./use-start-session.ts";

interface StartComposerProps {
  /** At least one of them is available. */
  readonly agents: readonly AgentInfo[];
  /** The most recently used agent. */
  readonly lastAgent: string | undefined;
  /** Their folders are suggested. */
  readonly sessions: readonly Session[];
  readonly onStarted: (session: Session) => void;
}

/**
 * The folder for the new session: the one shown, except for the agent's default, which is left out. A named folder is
 * checked again, and an agent that touches no files may work in its default folder where others may not.
 */
function toCwd({ agent, folders, folder }: Choices): { readonly cwd?: string } {
  const cwd = (folder ?? folders[0] ?? "").trim();
  return cwd === "" || cwd === agent?.defaultCwd ? {} : { cwd };
}

/** Starts a session with its first message, with a choice of agent, folder and permission mode. */
export function StartComposer(props: StartComposerProps): ReactNode {
  const choices = useChoices(props);
  const { agent, mode } = choices;
  const [text, setText] = useDraft("message:home");
  const [files, setFiles] = useState<readonly PickedFile[]>([]);
  const input = useRef<HTMLTextAreaElement>(null);
  const { starting, errors, start } = useStartSession();
  const takesNone = files.length > 0 && !agent?.takesAttachments;

  const begin = async (message: string): Promise<void> => {
    const empty = message.trim() === "" && files.length === 0;
    if (agent === undefined || takesNone || empty) return;
    const body = { agent: agent.agent, ...toCwd(choices), ...mode.body };
    const session = await start(body, message, files);
    if (session === undefined) return;
    setFiles([]);
    if (message === text) setText("");
    props.onStarted(session);
  };
  return (
    <>
      <div className="start">
        <div className="hp-composer-box start-box">
          <FirstMessage
            inputRef={input}
            place={agent && { agent: agent.agent, ...toCwd(choices) }}
            text={text}
            readOnly={starting}
            onText={setText}
            onEnter={() => void begin(text)}
          />
          <StartFiles
            {...{ agent, files }}
            onFiles={setFiles}
            inputRef={input}
            blocked={starting}
          />
          <StartRow
            choices={choices}
            cwdError={errors["cwd"]}
            blocked={starting || takesNone || (text.trim() === "" && files.length === 0)}
            onStart={() => void begin(text)}
          />
        </div>
        <StartErrors errors={errors} takesNone={takesNone} />
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

type StartFilesProps = ComponentProps<typeof StartAttachments> & {
  readonly agent: AgentInfo | undefined;
};

function StartFiles({ agent, ...props }: StartFilesProps): ReactNode {
  const { files } = props;
  return (agent?.takesAttachments || files.length > 0) && <StartAttachments {...props} />;
}

interface StartRowProps {
  readonly choices: Choices;
  readonly cwdError: string | undefined;
  readonly blocked: boolean;
  readonly onStart: () => void;
}

function StartRow({ choices, cwdError, blocked, onStart }: StartRowProps): ReactNode {
  const { agent, folders, folder, mode } = choices;
  const say = useWords();
  return (
    <div className="start-row">
      <Choice
        className="start-agent"
        label={say("Agent")}
        value={agent?.agent}
        onChoose={choices.chooseAgent}
      >
        {choices.usable.map((one) => [one.agent, toAgentName(one, say)])}
      </Choice>
      <FolderChoice
        folders={folders}
        folder={folder}
        error={cwdError}
        onChoose={choices.chooseFolder}
      />
      <Choice label={say("Permission mode")} value={mode.mode} onChoose={mode.choose}>
        {agent?.permissionModes.map((info) => [info.mode, say.translate(info.label)]) ?? []}
      </Choice>
      <Button
        tone="primary"
        iconOnly
        className="hp-composer-send"
        title={say("Start (Enter)")}
        icon={<ArrowUp aria-hidden />}
        blocked={blocked}
        onClick={onStart}
      >
        {say("Start")}
      </Button>
    </div>
  );
}

interface FirstMessageProps {
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  /** The place of the new session, for suggestions of commands and files. */
  readonly place: { readonly agent: string; readonly cwd?: string } | undefined;
  readonly text: string;
  readonly readOnly: boolean;
  readonly onText: (text: string) => void;
  readonly onEnter: () => void;
}

function FirstMessage(props: FirstMessageProps): ReactNode {
  const { inputRef, place, text, readOnly, onText, onEnter } = props;
  const assist = useRef<AssistKeys>(null);
  const hintId = useId();
  const say = useWords();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (assist.current?.(event)) return;
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <>
      {place !== undefined && !readOnly && mayAssist(text) && (
        <ComposerAssist ref={assist} {...{ place, text, onText, inputRef }} />
      )}
      <textarea
        ref={inputRef}
        className="hp-composer-input"
        rows={2}
        value={text}
        readOnly={readOnly}
        placeholder={say("What should the agent do?")}
        aria-label={say("First message")}
        aria-describedby={hintId}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={hintId} className="hp-visually-hidden">
        {say("Press Enter to start a session with this message.")}
      </p>
    </>
  );
}

interface Choices {
  /** The agents that can be started. */
  readonly usable: readonly AgentInfo[];
  readonly agent: AgentInfo | undefined;
  /** The folders to choose from, best guess first. */
  readonly folders: readonly string[];
  /** Absent: the first of `folders`. */
  readonly folder: string | undefined;
  readonly mode: ModeChoice;
  readonly chooseAgent: (agent: string) => void;
  readonly chooseFolder: (folder: string) => void;
}

function useChoices({ agents, lastAgent, sessions }: StartComposerProps): Choices {
  const [agentName, chooseAgent] = useState<string>();
  const [folder, chooseFolder] = useState<string>();
  const usable = agents.filter(({ available }) => available);
  const byName = (name: string | undefined): AgentInfo | undefined =>
    usable.find(({ agent }) => agent === name);
  const agent = byName(agentName) ?? byName(lastAgent) ?? usable[0];
  const folders = toFolders(agent?.defaultCwd, sessions);
  return { usable, agent, folders, folder, mode: useModeChoice(agent), chooseAgent, chooseFolder };
}

interface ChoiceProps {
  readonly className?: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly onChoose: (value: string) => void;
  /** The values with their labels. */
  readonly children: readonly (readonly [value: string, words: string])[];
}

function Choice({ className, label, value, onChoose, children }: ChoiceProps): ReactNode {
  return (
    <select
      className={className}
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      {children.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  );
}

interface StartErrorsProps {
  readonly errors: FieldErrors;
  /** There are files, but the agent takes none. */
  readonly takesNone: boolean;
}

function StartErrors({ errors, takesNone }: StartErrorsProps): ReactNode {
  const say = useWords();
  const { cwd, ...others } = errors;
  const ofFiles =
    takesNone && say("This agent does not accept files. Remove them, or choose another agent.");
  const other = [...Object.values(others), ofFiles || ""].join(" ").trim();
  if (cwd === undefined && other === "") return null;
  return (
    <p className="field-error" role="alert">
      {cwd !== undefined && (
        <>{say.rich("Folder: {trouble}", { trouble: <VisibleText text={cwd} /> })} </>
      )}
      {other} {say("Your text is kept.")}
    </p>
  );
}
