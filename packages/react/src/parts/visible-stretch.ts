import type { Stretch } from "./stretches.ts";

/** From where to where on the screen a part of the element could be seen. */
export function visibleStretch(element: HTMLElement, cover: HTMLElement | null): Stretch {
  const { visualViewport } = window;
  let top = visualViewport?.offsetTop ?? 0;
  let bottom = top + (visualViewport?.height ?? window.innerHeight);
  for (const frame of framesOf(element)) {
    const box = frame.getBoundingClientRect();
    top = Math.max(top, box.top);
    bottom = Math.min(bottom, box.bottom);
  }
  if (cover !== null) bottom = Math.min(bottom, cover.getBoundingClientRect().top);
  return [top, bottom];
}

/** What clips an element or scrolls around it, from the inside. What `html` and `body` say of overflow applies to the window. */
export function framesOf(element: Element): readonly Element[] {
  const root = element.getRootNode();
  const parent = element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
  if (parent === undefined || parent === document.body) return [];
  const clips = getComputedStyle(parent).overflowY !== "visible";
  return [...(clips ? [parent] : []), ...framesOf(parent)];
}

let wasLaidOut = false;

/**
 * Whether anything can be in view at all. Tests run cards in documents without a layout. A document that had one once
 * is not asked again: an answer takes a layout of everything that has changed.
 */
export function isLaidOut(): boolean {
  wasLaidOut ||= document.documentElement.getBoundingClientRect().width > 0;
  return wasLaidOut;
}
