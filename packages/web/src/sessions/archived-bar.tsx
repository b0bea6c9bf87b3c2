import type { Session } from "@holdpoint/protocol";
import { Archive } from "lucide-react";
import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { UnarchiveButton } from "./unarchive-button.tsx";

import "../styles/archived.css";

/** Shown above the conversation of an archived session. */
export function ArchivedBar({ session }: { readonly session: Session }): ReactNode {
  const say = useWords();
  return (
    <div className="archived-bar">
      <Archive aria-hidden />
      <p>{say("Archived. A message restores it.")}</p>
      <UnarchiveButton session={session} />
    </div>
  );
}
