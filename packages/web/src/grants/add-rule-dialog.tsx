import type { CommandRule, Grant } from "@holdpoint/protocol";
import { Button } from "@holdpoint/react";
import { useState, type FormEvent, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { SelectField, TextField } from "../sessions/field.tsx";
import { useWords, type Words } from "../words/use-words.ts";
import { RulePreviewView } from "./rule-preview-view.tsx";
import { useRuleDraft } from "./use-rule-draft.ts";

const VERDICTS = [
  { value: "allow", label: "Allow without asking" },
  { value: "ask", label: "Always ask" },
  { value: "deny", label: "Deny without asking" },
] as const satisfies readonly { value: CommandRule["verdict"]; label: Words }[];

const HOUR_MS = 60 * 60 * 1000;
const LIVES = [
  { value: String(HOUR_MS), label: "One hour" },
  { value: String(24 * HOUR_MS), label: "One day" },
  { value: String(30 * 24 * HOUR_MS), label: "30 days" },
  { value: String(365 * 24 * HOUR_MS), label: "One year" },
] as const satisfies readonly { value: string; label: Words }[];

interface AddRuleDialogProps {
  /** Suggested for the rule. */
  readonly cwd: string;
  readonly onClose: () => void;
  readonly onCreated: (rule: Grant) => void;
}

/** Creates a rule about commands. It can be saved only after its preview on past commands was shown. */
export function AddRuleDialog({ cwd, onClose, onCreated }: AddRuleDialogProps): ReactNode {
  const say = useWords();
  const model = useRuleDraft(cwd);
  const [forMs, setForMs] = useState(String(30 * 24 * HOUR_MS));
  const { preview, trouble, busy } = model;
  const canSave = preview !== undefined && preview.problem === undefined;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!canSave) return model.show();
    const made = await model.save(Number(forMs));
    if (made !== undefined) onCreated(made);
  };
  return (
    <Dialog title={say("Add rule")} className="rule-dialog" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <RuleFields model={model} />
        <SelectField
          label={say("Ends after")}
          value={forMs}
          options={LIVES.map(({ value, label }) => ({ value, label: say(label) }))}
          onChange={setForMs}
        />
        {preview !== undefined && <RulePreviewView preview={preview} />}
        {trouble !== undefined && (
          <p className="field-error" role="alert">
            {trouble}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{say("Cancel")}</Button>
          <Button type="submit" tone="primary" blocked={busy || !model.isComplete}>
            {canSave ? say("Save rule") : say("Show coverage")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function RuleFields({ model }: { readonly model: ReturnType<typeof useRuleDraft> }): ReactNode {
  const say = useWords();
  const { draft, change, preview } = model;
  return (
    <>
      <SelectField
        label={say("Matching commands")}
        help={say("Deny overrides ask, ask overrides allow, and all rules override other grants.")}
        value={draft.verdict}
        options={VERDICTS.map(({ value, label }) => ({ value, label: say(label) }))}
        onChange={(verdict) => change({ verdict })}
      />
      <TextField
        label={say("Pattern")}
        help={say(
          "Words, exactly as written. * matches one plain word that is not an option. No rule covers a command with ; | > $ or other shell syntax.",
        )}
        error={preview?.problem && say.told(preview.problem, preview.said?.["problem"])}
        value={draft.pattern}
        placeholder="npm run *"
        onChange={(pattern) => change({ pattern })}
      />
      <TextField
        label={say("Directory")}
        help={say("Exactly this one, not its subdirectories.")}
        value={draft.cwd}
        placeholder="/path/to/project"
        onChange={(directory) => change({ cwd: directory })}
      />
    </>
  );
}
