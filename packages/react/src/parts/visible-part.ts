export type Box = Pick<DOMRect, "top" | "bottom" | "left" | "right">;

/** The part of the screen in which the element can be visible. */
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

/** The window, or the part of it that zoom and an on-screen keyboard leave visible. */
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

/** The ancestors that clip or scroll an element, innermost first, below `body`, whose overflow is the window's. */
export function framesOf(element: Element): readonly Element[] {
  const root = element.getRootNode();
  const parent = element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined);
  if (parent === undefined || parent === document.body) return [];
  const clips = getComputedStyle(parent).overflowY !== "visible";
  return [...(clips ? [parent] : []), ...framesOf(parent)];
}

/** Whether there is a layout. Tests run cards in documents without layout and without `visualViewport`. */
export function isLaidOut(): boolean {
  return "visualViewport" in globalThis;
}
