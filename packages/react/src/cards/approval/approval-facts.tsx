import type { Approval, Interaction } from "@holdpoint/protocol";
import { FolderOpen, Plug, ShieldAlert, Wrench } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { useInView } from "../../parts/in-view.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

interface ApprovalFactsProps {
  readonly interaction: Interaction;
  readonly approval: Approval;
}

/** The facts known to the gateway: tool, directory, server. A program's request has no directory of ours. */
export function ApprovalFacts({ interaction, approval }: ApprovalFactsProps): ReactNode {
  const say = useWords();
  const { server, blockedPath } = approval.display;
  const facts = useRef<HTMLDListElement>(null);
  useInView(facts);
  return (
    <dl ref={facts} className="hp-facts">
      <Fact icon={<Wrench aria-hidden />} name={say("Tool")} value={interaction.toolName} />
      {interaction.hold !== "kept" && (
        <Fact icon={<FolderOpen aria-hidden />} name={say("Directory")} value={approval.cwd} />
      )}
      {server !== undefined && (
        <Fact icon={<Plug aria-hidden />} name={say("Server")} value={server} />
      )}
      {blockedPath !== undefined && (
        <Fact icon={<ShieldAlert aria-hidden />} name={say("Outside path")} value={blockedPath} />
      )}
    </dl>
  );
}

function Fact({
  icon,
  name,
  value,
}: {
  readonly icon: ReactNode;
  readonly name: string;
  readonly value: string;
}): ReactNode {
  return (
    <div className="hp-fact">
      <dt title={name}>
        {icon}
        <span className="hp-visually-hidden">{name}</span>
      </dt>
      <dd>
        <VisibleText text={value} exact />
      </dd>
    </div>
  );
}
