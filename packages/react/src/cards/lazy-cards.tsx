import type { Interaction } from "@holdpoint/protocol";
import { MessageCircleQuestionMark, Shield, TextCursorInput } from "lucide-react";
import { useState, type ComponentType, type ReactNode } from "react";

import { focusedElement } from "../parts/focused-element.ts";
import { createLazyPart } from "../parts/lazy-part.tsx";
import { useWords } from "../words/use-words.ts";
import type { ApprovalProps } from "./approval/use-approval.ts";
import { preloadCompleted } from "./completed/lazy-completed.tsx";
import type { FormProps } from "./form/use-form.ts";
import { CardShell, type OpenCardProps } from "./shared/card-shell.tsx";
import type { UnreadableCardProps } from "./unreadable-card.tsx";

type Kind = Interaction["kind"];

const ICONS: Readonly<Record<Kind, ReactNode>> = {
  approval: <Shield />,
  question: <MessageCircleQuestionMark />,
  form: <TextCursorInput />,
};

const loadApproval = () => import("./approval/approval-card.tsx");
const APPROVAL = createLazyCard<ApprovalProps>(
  "approval",
  async () => (await loadApproval()).ApprovalCard,
);
const QUESTION = createLazyCard(
  "question",
  async () => (await import("./question/question-card.tsx")).QuestionCard,
);
const FORM = createLazyCard<FormProps>(
  "form",
  async () => (await import("./form/form-card.tsx")).FormCard,
);

const UNREADABLE = createLazyPart<UnreadableCardProps>(
  "This can’t be shown here",
  async () => (await import("./unreadable-card.tsx")).UnreadableCard,
);

/** `ApprovalCard`, loaded on first use. */
export const LazyApprovalCard: ComponentType<ApprovalProps> = APPROVAL.Part;

/** `QuestionCard`, loaded on first use. */
export const LazyQuestionCard: ComponentType<OpenCardProps> = QUESTION.Part;

/** `FormCard`, loaded on first use. */
export const LazyFormCard: ComponentType<FormProps> = FORM.Part;

/** `UnreadableCard`, loaded on first use. */
export const LazyUnreadableCard: ComponentType<UnreadableCardProps> = UNREADABLE.Part;

/** Loads all cards ahead of their first use, so that they also appear while the gateway cannot be reached. */
export async function preloadCards(): Promise<void> {
  // A failure is shown at the first use.
  await Promise.allSettled([
    QUESTION.preload(),
    FORM.preload(),
    UNREADABLE.preload(),
    import("./form/form-values.tsx"),
    APPROVAL.preload(),
    loadApproval().then(({ preloadApproval }) => preloadApproval()),
    preloadCompleted(),
  ]);
}

function createLazyCard<TProps extends OpenCardProps>(
  kind: Kind,
  load: () => Promise<ComponentType<TProps>>,
): ReturnType<typeof createLazyPart<TProps>> {
  return createLazyPart<TProps>(
    ({ failed, ...props }) => (
      <CardShell {...props} kind={kind} icon={ICONS[kind]}>
        <div className="hp-card-body">
          <Hint kind={kind} failed={failed} />
        </div>
      </CardShell>
    ),
    async () => inheritFocus(await load()),
  );
}

const HINTS = {
  approval: { loading: "Loading the request…", failed: "The request" },
  question: { loading: "Loading the question…", failed: "The question" },
  form: { loading: "Loading the form…", failed: "The form" },
} as const;

function Hint({ kind, failed }: { readonly kind: Kind; readonly failed: boolean }): ReactNode {
  const say = useWords();
  const words = HINTS[kind];
  return (
    <p>
      {failed
        ? say(
            "{part} could not be loaded. Loading is retried when the gateway is back. If that does not help, reload the page.",
            { part: say(words.failed) },
          )
        : say(words.loading)}
    </p>
  );
}

/** The card. It takes the focus if its placeholder had it. */
function inheritFocus<TProps extends OpenCardProps>(
  Card: ComponentType<TProps>,
): ComponentType<TProps> {
  return function FocusHeir(card: TProps): ReactNode {
    const [hadFocus] = useState(() => isFocused(card.interaction.interactionId));
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has focused this card already
    return <Card {...card} autoFocus={hadFocus || card.autoFocus} />;
  };
}

function isFocused(interactionId: string): boolean {
  const activeElement = focusedElement();
  return (
    activeElement instanceof HTMLElement && activeElement.dataset["interactionId"] === interactionId
  );
}
