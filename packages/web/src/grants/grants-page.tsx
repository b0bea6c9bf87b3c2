import type { Grant } from "@holdpoint/protocol";
import { Button, useAnnounce, useOverview, useRole } from "@holdpoint/react";
import { Plus, ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { ColumnPage } from "../column-page.tsx";
import { useWords } from "../words/use-words.ts";
import { AddRuleDialog } from "./add-rule-dialog.tsx";
import { GrantEntry } from "./grant-entry.tsx";

import "../styles/grants.css";
import { RevokeGrantDialog } from "./revoke-grant-dialog.tsx";
import { useGrants } from "./use-grants.ts";

/** All grants: approvals for more than one call, and rules. Each can be revoked. */
export function GrantsPage({ inboxToggle }: { readonly inboxToggle: ReactNode }): ReactNode {
  const say = useWords();
  const { shown, trouble, showMore } = useGrants();
  const isOwner = useRole() === "owner";
  const [revoking, setRevoking] = useState<Grant>();
  const [revoked, setRevoked] = useState<ReadonlySet<string>>(new Set());
  const announce = useAnnounce();
  const title = useRef<HTMLHeadingElement>(null);

  const leave = (grant: Grant): void => {
    setRevoking(undefined);
    setRevoked(new Set([...revoked, grant.grantId]));
    announce(say("Revoked. From now on this tool call needs your approval again."));
  };
  // The focused button has been removed with its entry.
  useEffect(() => {
    if (revoked.size > 0) title.current?.focus();
  }, [revoked]);
  const grants = shown?.grants.filter(({ grantId }) => !revoked.has(grantId));
  return (
    <>
      <ColumnPage
        titleRef={title}
        title={say("Grants")}
        column="grants"
        loaded={shown !== undefined}
        {...{ inboxToggle, trouble }}
      >
        <p className="quiet">
          {say(
            "Approvals that let agents act without asking, and your own rules for commands. Each use is marked in its conversation.",
          )}
        </p>
        {isOwner && <AddRule />}
        {grants !== undefined && (
          <GrantList grants={grants} onRevoke={isOwner ? setRevoking : undefined} />
        )}
        {shown?.hasMore === true && <Button onClick={showMore}>{say("Show older")}</Button>}
      </ColumnPage>
      {revoking !== undefined && (
        <RevokeGrantDialog
          grant={revoking}
          onClose={() => setRevoking(undefined)}
          onRevoked={() => leave(revoking)}
        />
      )}
    </>
  );
}

/** The button for a new rule, and its dialog. Suggests the directory of the newest session. */
function AddRule(): ReactNode {
  const say = useWords();
  const { overview } = useOverview();
  const announce = useAnnounce();
  const [adding, setAdding] = useState(false);
  const leave = (): void => {
    setAdding(false);
    announce(say("Rule added"));
  };
  return (
    <>
      <Button icon={<Plus aria-hidden />} onClick={() => setAdding(true)}>
        {say("Add rule")}
      </Button>
      {adding && (
        <AddRuleDialog
          cwd={overview.sessions[0]?.cwd ?? ""}
          onClose={() => setAdding(false)}
          onCreated={leave}
        />
      )}
    </>
  );
}

interface GrantListProps {
  readonly grants: readonly Grant[];
  /** Absent if the person may not revoke grants. */
  readonly onRevoke: ((grant: Grant) => void) | undefined;
}

function GrantList({ grants, onRevoke }: GrantListProps): ReactNode {
  if (grants.length === 0) return <NoGrants />;
  return (
    <ul className="grant-list">
      {grants.map((grant) => (
        <GrantEntry
          key={grant.grantId}
          grant={grant}
          onRevoke={onRevoke && (() => onRevoke(grant))}
        />
      ))}
    </ul>
  );
}

function NoGrants(): ReactNode {
  const say = useWords();
  return (
    <div className="grants-empty">
      <ShieldCheck aria-hidden />
      <p>{say("There are no grants.")}</p>
      <p className="quiet">
        {say(
          "Anything you allow for longer than once, and every rule, is listed here until it ends or you revoke it.",
        )}
      </p>
    </div>
  );
}
