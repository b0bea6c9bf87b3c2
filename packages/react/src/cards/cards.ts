/** The cards of every kind and state, which are loaded after the first paint. */
export { ApprovalCard } from "./approval/approval-card.tsx";
export { AnsweredCard } from "./completed/answered-card.tsx";
export { askToCheck } from "./completed/check-message.ts";
export { ClosedCard } from "./completed/closed-card.tsx";
export { FormCard } from "./form/form-card.tsx";
export { NarrowedCard } from "./narrowed-card.tsx";
export { QuestionCard } from "./question/question-card.tsx";
export { UnreadableCard } from "./unreadable-card.tsx";
