import type { Interaction } from "@holdpoint/protocol";
import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";

import { JsonView } from "../parts/json-view.tsx";
import { CardShell } from "./card-shell.tsx";
import { CardTiming } from "./card-timing.tsx";

interface UnreadableCardProps {
  readonly interaction: Interaction;
  readonly agentLabel?: string | undefined;
  readonly autoFocus?: boolean | undefined;
}

/** An interaction without the part that its kind needs: shown as it came, with nothing that could answer it. */
export function UnreadableCard({ interaction, ...rest }: UnreadableCardProps): ReactNode {
  return (
    <CardShell
      {...rest}
      interactionId={interaction.interactionId}
      agentId={interaction.agentId}
      tone="quiet"
      kind="unreadable"
      icon={<CircleHelp />}
      title="This can’t be shown here"
      meta={<CardTiming interaction={interaction} />}
    >
      <div className="hp-card-body">
        <p>It was asked in a way that this page does not know. A newer one may.</p>
        <JsonView value={interaction} caption="As it came" />
      </div>
    </CardShell>
  );
}
