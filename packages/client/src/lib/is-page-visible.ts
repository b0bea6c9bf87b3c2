/** Whether a person may be looking: the page is in view. False outside of browsers. */
export function isPageVisible(): boolean {
  return globalThis.document?.visibilityState === "visible";
}
