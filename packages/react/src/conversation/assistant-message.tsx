import type { ViewItem } from "@holdpoint/client";
import { memo, useMemo, type ReactNode } from "react";

import { Markdown } from "../parts/markdown.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { useWords } from "../words/use-words.ts";
import { Disclosure } from "./disclosure.tsx";
import { splitGrowingMarkdown } from "./markdown-blocks.ts";

type AssistantMessageItem = Extract<ViewItem, { type: "assistant_message" }>;

/** An agent's message: markdown that may still grow, or its thinking, which is closed at first. */
export function AssistantMessage({ item }: { readonly item: AssistantMessageItem }): ReactNode {
  const say = useWords();
  if (item.channel === "thinking") return <Thinking item={item} />;
  return (
    <div className="hp-assistant" data-streaming={item.streaming || undefined}>
      <span className="hp-visually-hidden">{say("Agent:")} </span>
      {item.streaming ? <GrowingMarkdown text={item.text} /> : <Settled text={item.text} />}
    </div>
  );
}

const Settled = memo(Markdown);

function GrowingMarkdown({ text }: { readonly text: string }): ReactNode {
  const { settled, rest } = useMemo(() => splitGrowingMarkdown(text), [text]);
  return (
    <>
      {settled !== "" && <Settled text={settled} />}
      <Markdown text={rest} />
    </>
  );
}

function Thinking({ item }: { readonly item: AssistantMessageItem }): ReactNode {
  const say = useWords();
  return (
    <Disclosure
      name={item.key}
      className="hp-thinking"
      summary={say(item.streaming ? "Thinking…" : "Thought")}
    >
      {() => (
        <p className="hp-thinking-text">
          <VisibleText text={item.text} />
        </p>
      )}
    </Disclosure>
  );
}
