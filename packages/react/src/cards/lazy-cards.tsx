import type { Interaction } from "@holdpoint/protocol";
import { MessageCircleQuestionMark, TextCursorInput } from "lucide-react";
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

import { preloadDiff } from "../parts/diff-view.tsx";
import { preloadCompleted } from "./completed/lazy-completed.tsx";
import type { FormProps } from "./form/use-form.ts";
import { CardShell, type OpenCardProps } from "./shared/card-shell.tsx";

type Kind = Exclude<Interaction["kind"], "approval">;

interface LazyCard<TProps> {
  readonly Card: ComponentType<TProps>;
  /** Resolves when the card can be drawn at once. */
  readonly preload: () => Promise<unknown>;
}

const ICONS: Readonly<Record<Kind, ReactNode>> = {
  question: <MessageCircleQuestionMark />,
  form: <TextCursorInput />,
};

const QUESTION = createLazyCard(
  "question",
  async () => (await import("./question/question-card.tsx")).QuestionCard,
);
const FORM = createLazyCard<FormProps>(
  "form",
  async () => (await import("./form/form-card.tsx")).FormCard,
);

/** `QuestionCard`, loaded on first use. */
export const LazyQuestionCard: ComponentType<OpenCardProps> = QUESTION.Card;

/** `FormCard`, loaded on first use. */
export const LazyFormCard: ComponentType<FormProps> = FORM.Card;

/** Loads all cards ahead of their first use: they are there at once, also while the gateway cannot be reached. */
export async function preloadCards(): Promise<void> {
  // A failure shows at the first use.
  await Promise.allSettled([
    QUESTION.preload(),
    FORM.preload(),
    import("./form/form-values.tsx"),
    preloadDiff(),
    preloadCompleted(),
  ]);
}

function createLazyCard<TProps extends OpenCardProps>(
  kind: Kind,
  load: () => Promise<ComponentType<TProps>>,
): LazyCard<TProps> {
  let loaded: ComponentType<TProps> | undefined;
  const preload = async (): Promise<ComponentType<TProps>> => (loaded = await load());
  const Loading = lazy(async () => {
    try {
      return { default: await preload() };
    } catch {
      // Offline, or a newer version of the page has replaced its files.
      const words = `The ${kind} could not be loaded. Reload the page.`;
      return { default: (props: TProps) => <Placeholder {...props} kind={kind} words={words} /> };
    }
  }) as unknown as ComponentType<TProps>;
  function Card(props: TProps): ReactNode {
    // React shows the fallback even of a loaded lazy component, for 300 ms. A card keeps the component that it began
    // with, and so the person's input and the focus.
    const [Body] = useState(() => loaded ?? Loading);
    const fallback = <Placeholder {...props} kind={kind} words={`Loading the ${kind}…`} />;
    return (
      <Suspense fallback={fallback}>
        <FocusHeir Body={Body} card={props} />
      </Suspense>
    );
  }
  return { Card, preload };
}

interface FocusHeirProps<TProps> {
  readonly Body: ComponentType<TProps>;
  readonly card: TProps;
}

/** The card, which takes the focus over where its placeholder had it. */
function FocusHeir<TProps extends OpenCardProps>(props: FocusHeirProps<TProps>): ReactNode {
  const { Body, card } = props;
  const [hadFocus] = useState(() => isFocused(card.interaction.interactionId));
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has focused this card already
  return <Body {...card} autoFocus={hadFocus || card.autoFocus} />;
}

function isFocused(interactionId: string): boolean {
  const { activeElement } = document;
  return (
    activeElement instanceof HTMLElement && activeElement.dataset["interactionId"] === interactionId
  );
}

type PlaceholderProps = OpenCardProps & { readonly kind: Kind; readonly words: string };

function Placeholder({ words, ...props }: PlaceholderProps): ReactNode {
  return (
    <CardShell {...props} icon={ICONS[props.kind]}>
      <div className="hp-card-body">
        <p>{words}</p>
      </div>
    </CardShell>
  );
}
