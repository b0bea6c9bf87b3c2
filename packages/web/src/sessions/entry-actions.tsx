import { isAwaited } from "@holdpoint/client";
import type { Session } from "@holdpoint/protocol";
import { toVisibleString, useRole, useTransport } from "@holdpoint/react";
import { Ellipsis } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { MenuButton } from "../menu-button.tsx";
import { useWords } from "../words/use-words.ts";
import type { AskedAct } from "./entry-dialog.tsx";

interface EntryActionsProps {
  readonly session: Session;
  readonly onRename: () => void;
  /** Called for an action that needs a dialog first. */
  readonly onAsk: (act: AskedAct["act"]) => void;
}

/** The menu of a session in the list. */
export function EntryActions(props: EntryActionsProps): ReactNode {
  const { session, onRename, onAsk } = props;
  const { sessionId, status } = session;
  const say = useWords();
  const transport = useTransport();
  const role = useRole();
  const name = session.title === "" ? say("New session") : toVisibleString(session.title);
  const place = useRef<HTMLSpanElement>(null);
  const archive = (): void => {
    if (status !== "idle" || isAwaited(session)) return onAsk("archive");
    transport.updateSession(sessionId, { archived: true }).catch(() => onAsk("archive"));
  };
  // The button that would get the focus back is about to be removed.
  const findNext = (): HTMLElement | null | undefined =>
    place.current?.closest("li")?.nextElementSibling?.querySelector("a");
  const isViewer = role === "viewer";
  // Without sign-in at an issuer, every session belongs to everyone.
  const give = session.belongsTo
    ? [{ name: say("Who can see it"), run: () => onAsk("give") } as const]
    : [];
  if (isViewer && give.length === 0) return null;
  return (
    <span className="rail-actions" ref={place}>
      <MenuButton
        tone="quiet"
        iconOnly
        icon={<Ellipsis aria-hidden />}
        entries={[
          ...(isViewer ? [] : [{ name: say("Rename"), run: onRename }]),
          ...give,
          ...(isViewer ? [] : [{ name: say("Archive"), run: archive, findFocus: findNext }]),
          ...(role === "owner"
            ? [{ name: say("Delete"), run: () => onAsk("delete"), danger: true } as const]
            : []),
        ]}
      >
        {say("Actions for {name}", { name })}
      </MenuButton>
    </span>
  );
}
