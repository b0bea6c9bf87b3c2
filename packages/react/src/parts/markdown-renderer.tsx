import { isValidElement, type ComponentProps, type ReactNode } from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

import { CopyButton } from "./copy-button.tsx";
import { markHidden } from "./mark-hidden.ts";

interface HastNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: HastNode[];
}

/** Puts visible marks into every text of the tree, code included. */
function rehypeMarkHidden() {
  const visit = (node: HastNode): void => {
    if (node.children === undefined) return;
    node.children = node.children.flatMap((child) => {
      if (child.type === "text" && child.value !== undefined) return toMarkedNodes(child.value);
      visit(child);
      return [child];
    });
  };
  return visit;
}

function toMarkedNodes(value: string): HastNode[] {
  return markHidden(value).map((segment): HastNode => {
    if (segment.type === "text") return { type: "text", value: segment.text };
    if (segment.raw === "\t") return { type: "text", value: "\t" };
    return {
      type: "element",
      tagName: "span",
      properties: { className: ["hp-mark"], title: segment.name },
      children: [{ type: "text", value: segment.label }],
    };
  });
}

/** The whole text under a node. */
function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children);
  return "";
}

function hostOf(href: string): string | undefined {
  try {
    const url = new URL(href);
    return url.host === "" ? url.protocol : url.host;
  } catch {
    return undefined;
  }
}

function MarkdownLink({ href, children }: ComponentProps<"a">): ReactNode {
  const host = href === undefined ? undefined : hostOf(href);
  // Nothing to open: a relative or refused address would lead into the page that shows it.
  if (href === undefined || host === undefined) return <span>{children}</span>;
  const saysHost = textOf(children).includes(host);
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
      {!saysHost && <span className="hp-link-host"> ({host})</span>}
    </a>
  );
}

/** An image would be a request to a foreign server. Its text and address are shown instead. */
function MarkdownImage({ alt, src }: ComponentProps<"img">): ReactNode {
  return (
    <span className="hp-markdown-image">
      {alt === undefined || alt === "" ? "Image" : `Image: ${alt}`}
      {typeof src === "string" && src !== "" && <code>{src}</code>}
    </span>
  );
}

function MarkdownPre({ children }: ComponentProps<"pre">): ReactNode {
  return (
    <div className="hp-code">
      <pre className="hp-code-text">{children}</pre>
      <CopyButton text={textOf(children).replace(/\n$/, "")} />
    </div>
  );
}

function MarkdownTable({ children }: ComponentProps<"table">): ReactNode {
  return (
    <div className="hp-markdown-table">
      <table>{children}</table>
    </div>
  );
}

/** The boxes of a task list only show a state: they are no controls. */
function MarkdownInput({ checked }: ComponentProps<"input">): ReactNode {
  return (
    <span className="hp-task">
      <span aria-hidden="true">{checked === true ? "☑" : "☐"}</span>
      <span className="hp-visually-hidden">{checked === true ? "Done: " : "Open: "}</span>
    </span>
  );
}

const COMPONENTS = {
  input: MarkdownInput,
  a: MarkdownLink,
  img: MarkdownImage,
  pre: MarkdownPre,
  table: MarkdownTable,
};
const REMARK_PLUGINS = [remarkGfm];
const REHYPE_PLUGINS = [rehypeMarkHidden];

/** The part of `Markdown` that is loaded lazily. */
export function MarkdownRenderer({ text }: { readonly text: string }): ReactNode {
  return (
    <ReactMarkdown
      remarkPlugins={REMARK_PLUGINS}
      rehypePlugins={REHYPE_PLUGINS}
      components={COMPONENTS}
    >
      {text}
    </ReactMarkdown>
  );
}
