export type { ReadOnlyReason } from "./cards/shared/card-state.ts";
export { UndoOffer } from "./cards/completed/undo-offer.tsx";
export { MissingWords } from "./cards/shared/missing-words.tsx";
export { toAskedTitle } from "./cards/shared/card-title.ts";
export { allowedWords } from "./cards/shared/answer-words.ts";
export type { InteractionCardProps } from "./cards/card-props.ts";
export { InteractionCard } from "./cards/interaction-card.tsx";
export { CARD_KEYS } from "./cards/shared/card-keys.ts";
export type { CardKey } from "./cards/shared/card-keys.ts";
export { isComposing, isTypingTarget } from "./cards/shared/keyboard.ts";
export { preloadCards } from "./cards/cards-seam.ts";
export { preloadConversation } from "./conversation/conversation-seam.ts";
export { PREVIEW_POLICY_NAME } from "./cards/question/preview-document.ts";
export { StartAttachments } from "./conversation/attachments/start-attachments.tsx";
export { uploadFiles } from "./conversation/attachments/upload-files.ts";
export type { PickedFile } from "./conversation/attachments/read-file.ts";
export { ConnectedCard } from "./conversation/connected-card.tsx";
export { ComposerAssist, type AssistKeys } from "./conversation/composer-assist.tsx";
export { mayAssist } from "./conversation/composer.tsx";
export {
  Conversation,
  type ConversationHandle,
  type ConversationProps,
} from "./conversation/conversation.tsx";
export { SuggestedPrompts } from "./conversation/suggested-prompts.tsx";
export {
  HoldpointProvider,
  useHoldpoint,
  type HoldpointContext,
  type HoldpointProviderProps,
} from "./hooks/provider.tsx";
export { toCallTroubleWords, toFieldTroubles, type TroubleWords } from "./hooks/trouble-words.ts";
export { useAgents, type UseAgents } from "./hooks/use-agents.ts";
export { useDraft } from "./hooks/use-draft.ts";
export { useKnownRole, useRole } from "./hooks/use-role.ts";
export { useInteractionMode, type InteractionMode } from "./hooks/use-interaction-mode.ts";
export { useOverview, type UseOverview } from "./hooks/use-overview.ts";
export { useRespond } from "./hooks/use-respond.ts";
export { useSession, type UseSession } from "./hooks/use-session.ts";
export { useStopTurn, type StopTurn } from "./hooks/use-stop-turn.ts";
export { useTransport } from "./hooks/use-transport.ts";
export { AnnouncerProvider, useAnnounce } from "./parts/announcer.tsx";
export { Button } from "./parts/button.tsx";
export { CodeBlock } from "./parts/code-block.tsx";
export {
  CODE_TOKEN_KINDS,
  CodeHighlightContext,
  type CodeToken,
  type HighlightCode,
} from "./parts/code-highlighter.ts";
export { CopyButton } from "./parts/copy-button.tsx";
export { tellShift } from "./parts/shifts.ts";
export { toVisibleString } from "./parts/visible-string.ts";
export { keepFromForeignChanges } from "./parts/foreign-nodes.ts";
export { loadWhenBack } from "./parts/load-again.ts";
export { Markdown, preloadMarkdown } from "./parts/markdown.tsx";
export { Modal } from "./parts/modal.tsx";
export { createSeam, type Instead, type Seam, type SeamPartProps } from "./parts/seam.tsx";
export { RelativeTime } from "./parts/relative-time.tsx";
export { useNow, useUiClock, type UiClock } from "./parts/ui-clock.tsx";
export { UnshownContext, useUnshown, useUnshownParts } from "./parts/unshown.tsx";
export { TitleText } from "./parts/title-text.tsx";
export { SaidText } from "./parts/said-text.tsx";
export { BriefText, VisibleText } from "./parts/visible-text.tsx";
export { useLanguage } from "./words/language-context.ts";
export { LanguageProvider, type LanguageProviderProps } from "./words/language-provider.tsx";
export type { Language } from "./words/translate.ts";
