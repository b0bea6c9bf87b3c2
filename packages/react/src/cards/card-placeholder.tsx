import type { Interaction } from "@holdpoint/protocol";
import { MessageCircleQuestionMark, Shield, TextCursorInput } from "lucide-react";
import type { ReactNode } from "react";

import { NotLoaded } from "../parts/seam.tsx";
import { useWords } from "../words/use-words.ts";
import { CardShell, type OpenCardProps } from "./shared/card-shell.tsx";

const ICONS: Readonly<Record<Interaction["kind"], ReactNode>> = {
  approval: <Shield />,
  question: <MessageCircleQuestionMark />,
  form: <TextCursorInput />,
};

/** The frame of an open card whose code is loaded, or could not be loaded. */
export function CardPlaceholder({
  failed,
  ...props
}: OpenCardProps & { readonly failed: boolean }): ReactNode {
  const say = useWords();
  const { kind } = props.interaction;
  return (
    <CardShell {...props} kind={kind} icon={ICONS[kind]}>
      <div className="hp-card-body">
        {failed ? <NotLoaded failed /> : <p>{say("Loading the request…")}</p>}
      </div>
    </CardShell>
  );
}
