import { markText, type TextSegment, type TextUse } from "@holdpoint/protocol";
import {
  isValidElement,
  useDeferredValue,
  useMemo,
  type ComponentProps,
  type ReactNode,
} from "react";
import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

import { useWords } from "../words/use-words.ts";
import { CopyButton } from "./copy-button.tsx";
import { HighlightedCode } from "./highlighted-code.tsx";
import { toMarkdownCost } from "./markdown-cost.ts";
import { MarkdownSource } from "./markdown-source.tsx";

interface HastNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: HastNode[];
}

/** Adds visible marks to every text of the tree. Code is marked like commands. */
function rehypeMarkText() {
  const visit = (node: HastNode, use: TextUse): void => {
    if (node.children === undefined) return;
    node.children = node.children.flatMap((child) => {
      if (child.type === "text" && child.value !== undefined) {
        return markText(child.value, use).map(toNode);
      }
      visit(child, child.tagName === "code" ? "exact" : use);
      return [child];
    });
  };
  return (root: HastNode) => visit(root, "prose");
}

function toNode(segment: TextSegment): HastNode {
  if (segment.type === "text") return { type: "text", value: segment.text };
  if (segment.type === "reversed") {
    return toElement("bdo", { dir: "ltr", className: ["hp-mark-reversed"] }, segment.text);
  }
  const { raw, label, name } = segment;
  if (raw === "\t") return { type: "text", value: "\t" };
  const className = ["hp-mark", ...(segment.isMild ? ["hp-mark-mild"] : [])];
  return toElement("span", { className, title: name, dataRaw: raw }, label);
}

function toElement(tagName: string, properties: Record<string, unknown>, value: string): HastNode {
  return { type: "element", tagName, properties, children: [{ type: "text", value }] };
}

interface MarkProps {
  readonly children?: ReactNode;
  /** The original character of a mark. */
  readonly "data-raw"?: string;
}

/** The text below a node, without its marks. */
function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (isValidElement<MarkProps>(node)) return node.props["data-raw"] ?? textOf(node.props.children);
  return "";
}

/** The language of a fenced code block. */
function languageOf(node: ReactNode): string | undefined {
  if (!isValidElement<{ readonly className?: string }>(node)) return undefined;
  return /(?:^| )language-(\S+)/u.exec(node.props.className ?? "")?.[1];
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
  // A relative or unsafe address is no link: it would lead into the page that shows it.
  if (href === undefined || host === undefined) return <span>{children}</span>;
  const saysHost = textOf(children).includes(host);
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
      {!saysHost && <span className="hp-link-host"> ({host})</span>}
    </a>
  );
}

/** Shows an image's text and address. Loading it would be a request to a foreign server. */
function MarkdownImage({ alt, src }: ComponentProps<"img">): ReactNode {
  const say = useWords();
  return (
    <span className="hp-markdown-image">
      {alt === undefined || alt === "" ? say("Image") : say("Image: {alt}", { alt })}
      {typeof src === "string" && src !== "" && <code>{src}</code>}
    </span>
  );
}

function MarkdownPre({ children }: ComponentProps<"pre">): ReactNode {
  const language = languageOf(children);
  return (
    <div className="hp-code">
      <pre className="hp-code-text">
        {language === undefined ? (
          children
        ) : (
          <code>
            <HighlightedCode text={textOf(children)} language={language}>
              {isValidElement<{ children?: ReactNode }>(children)
                ? children.props.children
                : children}
            </HighlightedCode>
          </code>
        )}
      </pre>
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
  const say = useWords();
  return (
    <span className="hp-task">
      <span aria-hidden="true">{checked === true ? "☑" : "☐"}</span>
      <span className="hp-visually-hidden">{checked === true ? say("Done:") : say("Open:")} </span>
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
const REHYPE_PLUGINS = [rehypeMarkText];

/** The part of `Markdown` that is loaded lazily. */
export function MarkdownRenderer({ text }: { readonly text: string }): ReactNode {
  const say = useWords();
  const { plainBecause, isHeavy } = useMemo(() => toMarkdownCost(text), [text]);
  // A heavy text is rendered later, so that a press never waits for it.
  const isDue = useDeferredValue(true, !isHeavy);
  if (plainBecause !== undefined) {
    return (
      <>
        <p className="hp-hint">
          {say("Shown as plain text: {reason}.", { reason: say(plainBecause) })}
        </p>
        <MarkdownSource text={text} />
      </>
    );
  }
  if (!isDue) return <MarkdownSource text={text} />;
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
