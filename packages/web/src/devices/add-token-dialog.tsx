import { Button, CopyButton, toFieldTroubles, useTransport } from "@holdpoint/react";
import { useState, type FormEvent, type ReactNode } from "react";

import { pageUrl } from "../base-path.ts";
import { Dialog } from "../dialog.tsx";
import { Field } from "../sessions/field.tsx";
import { useTrouble } from "../words/use-trouble.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { SCOPE_WORDS } from "./token-entries.tsx";
import type { Program } from "./use-credentials.ts";

const MAX_NAME_LENGTH = 100;
const LIFETIMES = [7, 30, 90, 365] as const;
const SCOPES = ["respond", "read"] as const satisfies readonly Program["scope"][];
const SCOPE_HELP: Readonly<Record<Program["scope"], Words>> = {
  respond: "Can do everything you can, including answering, except create tokens and add devices.",
  read: "Can see everything, but cannot change anything.",
};

/** Creates a token for the person's own program, and shows it once. */
export function AddProgramDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const [scope, setScope] = useState<Program["scope"]>("read");
  const [days, setDays] = useState<number>(LIFETIMES[1]);
  return (
    <AddTokenDialog
      title={say("Add a program")}
      tokenTitle={say("The program’s token")}
      nameHelp={say("Shown next to the program’s answers.")}
      create={async (label) =>
        (await transport.createProgramToken({ label, scope, expiresInDays: days })).token
      }
      toSnippets={(token) => [
        [say("Token"), token],
        [say("Request header"), `Authorization: Bearer ${token}`],
      ]}
      onClose={onClose}
    >
      <Field label={say("Access")} help={say(SCOPE_HELP[scope])}>
        {(props) => (
          <select
            {...props}
            value={scope}
            onChange={(event) => setScope(event.target.value as Program["scope"])}
          >
            {SCOPES.map((name) => (
              <option key={name} value={name}>
                {say(SCOPE_WORDS[name])}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={say("Ends after")} help={say("After that, the program needs another token.")}>
        {(props) => (
          <select {...props} value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {LIFETIMES.map((count) => (
              <option key={count} value={count}>
                {say("{n} days", { n: count })}
              </option>
            ))}
          </select>
        )}
      </Field>
    </AddTokenDialog>
  );
}

/** Creates a token for an agent that the person starts, and shows once how to connect it. */
export function AddAgentDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const url = `${pageUrl()}/mcp`;
  return (
    <AddTokenDialog
      title={say("Add an agent")}
      tokenTitle={say("The agent’s token")}
      nameHelp={say(
        "For example, Codex. Its requests are in a session with this name. Deleting that session ends the token.",
      )}
      create={async (label) => (await transport.createAgentToken({ label })).token}
      toSnippets={(token) => [
        [say("MCP address"), url],
        [say("Token"), token],
        [
          "Claude Code",
          `claude mcp add --transport http holdpoint ${url} --header "Authorization: Bearer ${token}"`,
        ],
      ]}
      onClose={onClose}
    />
  );
}

interface AddTokenDialogProps {
  readonly title: string;
  /** The title above the token. */
  readonly tokenTitle: string;
  readonly nameHelp: string;
  /** Resolves to the token. */
  readonly create: (label: string) => Promise<string>;
  readonly toSnippets: (token: string) => readonly (readonly [title: string, text: string])[];
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

function AddTokenDialog(props: AddTokenDialogProps): ReactNode {
  const say = useWords();
  const toTrouble = useTrouble();
  const { title, tokenTitle, nameHelp, create, toSnippets, onClose, children } = props;
  const [label, setLabel] = useState("");
  const [error, setError] = useState<string>();
  const [creating, setCreating] = useState(false);
  const [token, setToken] = useState<string>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (label.trim() === "") {
      setError(say("Enter a name."));
      return;
    }
    setCreating(true);
    try {
      setToken(await create(label.trim()));
    } catch (problem: unknown) {
      setError(toFieldTroubles(problem, say.language)["label"] ?? toTrouble(problem).text);
    }
    setCreating(false);
  };
  if (token !== undefined) {
    return <ShownToken title={tokenTitle} snippets={toSnippets(token)} onClose={onClose} />;
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Field label={say("Name")} help={nameHelp} error={error}>
          {(field) => (
            <input
              {...field}
              value={label}
              maxLength={MAX_NAME_LENGTH}
              autoComplete="off"
              spellCheck={false}
              autoCorrect="off"
              onChange={(event) => {
                setLabel(event.target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
        {children}
        <div className="dialog-actions">
          <Button onClick={onClose}>{say("Cancel")}</Button>
          <Button type="submit" tone="primary" blocked={creating}>
            {creating ? say("Creating…") : say("Create token")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ShownTokenProps {
  readonly title: string;
  readonly snippets: ReturnType<AddTokenDialogProps["toSnippets"]>;
  readonly onClose: () => void;
}

function ShownToken({ title, snippets, onClose }: ShownTokenProps): ReactNode {
  const say = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{say("Copy the token now. It will not be shown again.")}</p>
      {snippets.map(([name, text]) => (
        <Snippet key={name} name={name} text={text} />
      ))}
      <div className="dialog-actions">
        <Button tone="primary" onClick={onClose}>
          {say("Done")}
        </Button>
      </div>
    </Dialog>
  );
}

function Snippet({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  const say = useWords();
  return (
    <div className="snippet">
      <p className="snippet-name">{name}</p>
      <div className="snippet-text">
        <code>{text}</code>
        <CopyButton text={text} label={say("Copy: {name}", { name })} />
      </div>
    </div>
  );
}
