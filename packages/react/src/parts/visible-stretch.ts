export type Box = Pick<DOMRect, "top" | "bottom" | "left" | "right">;

/** The part of the screen in which something of the element could be seen. */
export function visiblePart(element: HTMLElement, cover: HTMLElement | null): Box {
  let { top, bottom, left, right } = toWindow();
  for (const frame of framesOf(element)) {
    const box = frame.getBoundingClientRect();
    top = Math.max(top, box.top);
    bottom = Math.min(bottom, box.bottom);
    left = Math.max(left, box.left);
    right = Math.min(right, box.right);
  }
  if (cover !== null) bottom = Math.min(bottom, cover.getBoundingClientRect().top);
  return { top, bottom, left, right };
}

/** The window, or the part of it that is left by zooming in and by a keyboard. */
function toWindow(): Box {
  const {
    offsetTop = 0,
    offsetLeft = 0,
    width = innerWidth,
    height = innerHeight,
  } = window.visualViewport ?? ({} as Partial<VisualViewport>);
  return {
    top: offsetTop,
    bottom: offsetTop + height,
    left: offsetLeft,
    right: offsetLeft + width,
  };
}

/** What clips an element or scrolls around it, from the inside. What `html` and `body` say of overflow applies to the window. */
export function framesOf(element: Element): readonly Element[] {
  const root = element.getRootNode();
  const parent = element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
  if (parent === undefined || parent === document.body) return [];
  const clips = getComputedStyle(parent).overflowY !== "visible";
  return [...(clips ? [parent] : []), ...framesOf(parent)];
}

/** Whether anything can be in view at all: tests run cards in documents that have no layout, and know of no window to look through. */
export function isLaidOut(): boolean {
  return "visualViewport" in globalThis;
}
