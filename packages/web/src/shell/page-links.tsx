import { Archive, History, MonitorSmartphone, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import type { Route } from "../route.ts";
import { useWords, type Words } from "../words/use-words.ts";

interface PageLink {
  readonly to: Exclude<Route, { sessionId: string } | { interactionId: string }>;
  readonly title: Words;
  readonly Icon: LucideIcon;
}

const PAGES: readonly PageLink[] = [
  { to: { name: "history" }, title: "History", Icon: History },
  { to: { name: "archived" }, title: "Archived", Icon: Archive },
  { to: { name: "devices" }, title: "Devices and programs", Icon: MonitorSmartphone },
];

/** Links to the pages without a conversation, except for the grants, which are linked elsewhere. */
export function PageLinks({ selected }: { readonly selected: Route["name"] }): ReactNode {
  const say = useWords();
  return PAGES.map(({ to, title, Icon }) => (
    <Link
      key={to.name}
      to={to}
      className="rail-grants"
      aria-current={selected === to.name ? "page" : undefined}
    >
      <Icon aria-hidden />
      {say(title)}
    </Link>
  ));
}
