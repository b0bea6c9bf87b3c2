import type { Interaction } from "@holdpoint/protocol";
import { MessageCircleQuestionMark, TextCursorInput } from "lucide-react";
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

import { CardShell, type OpenCardProps } from "./card-shell.tsx";
import type { FormProps } from "./form/use-form.ts";

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
  await Promise.allSettled([QUESTION.preload(), FORM.preload(), import("./form/form-values.tsx")]);
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
    // React shows even a loaded lazy component's fallback, for 300 ms. A card keeps the component that it began with, and
    // with it the person's input and the focus.
    const [Body] = useState(() => loaded ?? Loading);
    const fallback = <Placeholder {...props} kind={kind} words={`Loading the ${kind}…`} />;
    return (
      <Suspense fallback={fallback}>
        <Body {...props} />
      </Suspense>
    );
  }
  return { Card, preload };
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
