import type { KeyboardEvent } from "react";

const TEXT_INPUT_TYPES = new Set([
  "text",
  "search",
  "url",
  "tel",
  "email",
  "password",
  "number",
  "date",
  "datetime-local",
  "time",
  "month",
  "week",
]);

/** Whether keys pressed there are text, or belong to an input method. */
export function isTypingTarget(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && TEXT_INPUT_TYPES.has(target.type);
}

/** Whether it is a single key: no modifier, no repeat of a held key, not part of an input method's composition. */
export function isPlainKey(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, repeat } = event;
  return !ctrlKey && !metaKey && !altKey && !repeat && !isComposing(event);
}

/**
 * Whether a key belongs to an input method, where Enter confirms a word and Escape discards it. Safari ends the
 * composition before the key, and reports 229 instead of `isComposing`. The only place that reads either.
 */
export function isComposing(event: KeyboardEvent | KeyboardEvent["nativeEvent"]): boolean {
  const { isComposing, keyCode } = "nativeEvent" in event ? event.nativeEvent : event;
  return isComposing || keyCode === 229;
}
