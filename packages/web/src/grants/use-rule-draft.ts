import type { Grant, RuleDraft, RulePreview } from "@holdpoint/protocol";
import { useTransport } from "@holdpoint/react";
import { useState } from "react";

import { useTrouble } from "../words/use-trouble.ts";

interface RuleDraftModel {
  readonly draft: RuleDraft;
  readonly change: (change: Partial<RuleDraft>) => void;
  /** Whether every field is filled in. */
  readonly isComplete: boolean;
  /** The preview of the current draft. A change removes it. */
  readonly preview: RulePreview | undefined;
  readonly trouble: string | undefined;
  readonly busy: boolean;
  readonly show: () => Promise<void>;
  /** Resolves to `undefined` on failure, explained by `trouble`. */
  readonly save: (forMs: number) => Promise<Grant | undefined>;
}

/** The draft of a new rule. */
export function useRuleDraft(cwd: string): RuleDraftModel {
  const toTrouble = useTrouble();
  const transport = useTransport();
  const [draft, setDraft] = useState<RuleDraft>({ verdict: "allow", pattern: "", cwd });
  const [preview, setPreview] = useState<RulePreview>();
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);

  const call = async <TResult>(act: () => Promise<TResult>): Promise<TResult | undefined> => {
    setBusy(true);
    setTrouble(undefined);
    try {
      return await act();
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    change: (change) => {
      setDraft({ ...draft, ...change });
      setPreview(undefined);
    },
    isComplete: draft.pattern.trim() !== "" && draft.cwd.trim() !== "",
    preview,
    trouble,
    busy,
    show: async () => setPreview(await call(() => transport.previewRule(draft))),
    save: (forMs) => call(() => transport.createRule({ ...draft, forMs })),
  };
}
