/** Whether the page is in view, so that a person may be looking at it. `false` outside of browsers. */
export function isPageVisible(): boolean {
  return globalThis.document?.visibilityState === "visible";
}
