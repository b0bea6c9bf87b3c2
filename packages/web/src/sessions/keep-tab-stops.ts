/** Each group is one tab stop. Within it, the arrow keys, Home and End move the focus. */
const GROUPS = [".brand, .rail-new, .rail-link, .rail-grants", ".rail-footer-row button"];
/** Separate tab stops, next to the session that is its group's tab stop. */
const ACTIONS = ".rail-actions button";

/**
 * Keeps one element of each group in the rail as its tab stop: the last focused one, or else the current page, or else
 * the first. Returns the function to stop.
 */
export function keepTabStops(rail: HTMLElement): () => void {
  const ending = new AbortController();
  const last = new Map<string, Element>();
  let shown: Element | null = null;
  const stopsOf = (group: string): readonly HTMLElement[] => [
    ...rail.querySelectorAll<HTMLElement>(group),
  ];
  const settle = (): void => {
    const current = rail.querySelector('[aria-current="page"]');
    // The page has changed: the tab stop moves to it.
    if (current !== shown) last.clear();
    shown = current;
    for (const group of GROUPS) {
      const stops = stopsOf(group);
      const stop =
        stops.find((one) => one === last.get(group)) ??
        stops.find((one) => one === current) ??
        stops[0];
      for (const one of stops) one.tabIndex = one === stop ? 0 : -1;
    }
    for (const button of stopsOf(ACTIONS)) {
      const session = button.closest("li")?.querySelector<HTMLElement>(".rail-link");
      button.tabIndex = session?.tabIndex ?? 0;
    }
  };
  const onFocus = ({ target }: FocusEvent): void => {
    const group = groupOf(target);
    if (group === undefined) return;
    last.set(group, target as Element);
    settle();
  };
  const onKey = (event: KeyboardEvent): void => {
    const group = groupOf(event.target);
    if (group === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const stops = stopsOf(group);
    const next =
      stops[toPlace(event.key, stops.indexOf(event.target as HTMLElement), stops.length)];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  rail.addEventListener("focusin", onFocus, ending);
  rail.addEventListener("keydown", onKey, ending);
  const observer = new MutationObserver(settle);
  observer.observe(rail, { childList: true, subtree: true, attributeFilter: ["aria-current"] });
  settle();
  return () => {
    ending.abort();
    observer.disconnect();
  };
}

function groupOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? GROUPS.find((group) => target.matches(group)) : undefined;
}

/** The index to which a key moves among `count` elements; -1 for other keys. */
function toPlace(key: string, place: number, count: number): number {
  switch (key) {
    case "ArrowDown":
    case "ArrowRight":
      return Math.min(place + 1, count - 1);
    case "ArrowUp":
    case "ArrowLeft":
      return Math.max(place - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}
