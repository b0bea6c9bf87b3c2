import type { Grant } from "@holdpoint/protocol";
import { Button, useAnnounce } from "@holdpoint/react";
import { ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { GrantEntry } from "./grant-entry.tsx";
import { RevokeGrantDialog } from "./revoke-grant-dialog.tsx";
import { useGrants } from "./use-grants.ts";

import "../styles/grants.css";

/** What was allowed for longer, to be looked through and taken back. */
export function GrantsPage({ inboxToggle }: { readonly inboxToggle: ReactNode }): ReactNode {
  const { shown, trouble, showMore } = useGrants();
  const [revoking, setRevoking] = useState<Grant>();
  const [revoked, setRevoked] = useState<ReadonlySet<string>>(new Set());
  const announce = useAnnounce();
  const title = useRef<HTMLHeadingElement>(null);

  const leave = (grant: Grant): void => {
    setRevoking(undefined);
    setRevoked(new Set([...revoked, grant.grantId]));
    announce("Revoked. It is asked again from now on.");
  };
  // What had the focus has gone away with the entry.
  useEffect(() => {
    if (revoked.size > 0) title.current?.focus();
  }, [revoked]);
  const grants = shown?.grants.filter(({ grantId }) => !revoked.has(grantId));
  return (
    <>
      <header className="head">
        <h1 className="head-title" ref={title} tabIndex={-1}>
          Grants
        </h1>
        <span className="space" />
        {inboxToggle}
      </header>
      <div className="grants">
        <div className="grants-column">
          <p className="quiet">
            What was allowed for longer. A call that a grant covers runs without asking, and its
            conversation says so.
          </p>
          {trouble !== undefined && (
            <p className="field-error" role="alert">
              {trouble.title}. {trouble.wayOut}
            </p>
          )}
          {grants?.length === 0 && <NoGrants />}
          {grants !== undefined && grants.length > 0 && (
            <ul className="grant-list">
              {grants.map((grant) => (
                <GrantEntry key={grant.grantId} grant={grant} onRevoke={() => setRevoking(grant)} />
              ))}
            </ul>
          )}
          {shown?.hasMore === true && <Button onClick={showMore}>Show older ones</Button>}
        </div>
      </div>
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

function NoGrants(): ReactNode {
  return (
    <div className="grants-empty">
      <ShieldCheck aria-hidden />
      <p>Nothing is allowed for longer.</p>
      <p className="quiet">
        Where an approval offers more than “once”, what you choose there is kept here until it ends
        or you revoke it.
      </p>
    </div>
  );
}
