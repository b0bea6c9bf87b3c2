import { toPlainTitle } from "@holdpoint/protocol";
import { toVisibleString } from "@holdpoint/react";

/** Shows the number of pending interactions in the tab's title and icon, and as the app's badge. */
export function showBadge(count: number, title: string): void {
  document.title = toDocumentTitle(count, title);
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon !== null) icon.href = toFavicon(count);
  void setAppBadge(count);
}

export function toDocumentTitle(count: number, title: string): string {
  const name = title === "" ? "Holdpoint" : `${toVisibleString(toPlainTitle(title))} · Holdpoint`;
  return count === 0 ? name : `(${count}) ${name}`;
}

/** The logo as a `data:` image, filled in amber with the count if interactions are pending. */
export function toFavicon(count: number): string {
  const mark =
    count === 0
      ? '<circle cx="16" cy="16" r="11" fill="none" stroke="#7a7d82" stroke-width="4"/><circle cx="16" cy="16" r="4.5" fill="#7a7d82"/>'
      : `<circle cx="16" cy="16" r="15" fill="#b45309"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="19" fill="#fff">${count > 9 ? "9+" : count}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${mark}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

async function setAppBadge(count: number): Promise<void> {
  try {
    if (count === 0) await navigator.clearAppBadge?.();
    else await navigator.setAppBadge?.(count);
  } catch {
    // Not installed as an app, or badges are refused: the title and the icon still show the count.
  }
}
