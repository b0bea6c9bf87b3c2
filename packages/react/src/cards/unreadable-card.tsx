import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";

import { JsonView } from "../parts/json-view.tsx";
import { useWords } from "../words/use-words.ts";
import { CardShell, type OpenCardProps } from "./shared/card-shell.tsx";

/** An interaction that lacks the part its kind needs. It is shown as received, and cannot be answered. */
export function UnreadableCard({ interaction, agentLabel, autoFocus }: OpenCardProps): ReactNode {
  const say = useWords();
  return (
    <CardShell
      {...{ interaction, agentLabel, autoFocus }}
      kind="unreadable"
      icon={<CircleHelp />}
      title={say("This can’t be shown here")}
    >
      <div className="hp-card-body">
        <p>
          {say(
            "This page does not support this kind of request. Reload the page: a newer version may support it.",
          )}
        </p>
        <JsonView value={interaction} caption={say("Raw request")} />
      </div>
    </CardShell>
  );
}
