import {
  Bot,
  FilePlus2,
  FileText,
  FolderSearch,
  Globe,
  ListChecks,
  MessageCircleQuestion,
  Pencil,
  Plug,
  Route,
  Search,
  SquareTerminal,
  Wrench,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import type { ToolIconName } from "./tool-words.ts";

const ICONS: Readonly<Record<ToolIconName, LucideIcon>> = {
  terminal: SquareTerminal,
  file: FileText,
  pencil: Pencil,
  "file-plus": FilePlus2,
  search: Search,
  folder: FolderSearch,
  globe: Globe,
  agent: Bot,
  list: ListChecks,
  question: MessageCircleQuestion,
  plan: Route,
  plug: Plug,
  tool: Wrench,
};

interface ToolIconProps {
  readonly name: ToolIconName;
}

/** The icon of a kind of tool. */
export function ToolIcon({ name }: ToolIconProps): ReactNode {
  const Icon = ICONS[name];
  return <Icon aria-hidden className="hp-tool-icon" />;
}
