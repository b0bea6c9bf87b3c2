import type { Words } from "../words/use-words.ts";

/** Whether this browser can be notified. If not, the reason and a remedy. */
export type PushSupport =
  | { readonly kind: "yes" }
  | { readonly kind: "no"; readonly why: Words; readonly wayOut: Words };

/** The properties of a browser that matter for notifications. */
export interface BrowserFacts {
  readonly isSecure: boolean;
  readonly hasPush: boolean;
  readonly permission: NotificationPermission | undefined;
  readonly isApplePhone: boolean;
  /** Opened from the home screen. */
  readonly isInstalled: boolean;
}

export function readBrowserFacts(): BrowserFacts {
  const { userAgent, maxTouchPoints } = navigator;
  return {
    isSecure: globalThis.isSecureContext,
    hasPush: "serviceWorker" in navigator && "PushManager" in globalThis,
    permission: "Notification" in globalThis ? Notification.permission : undefined,
    // An iPad claims to be a Mac.
    isApplePhone:
      /\b(?:iPhone|iPad)\b/u.test(userAgent) ||
      (/\bMacintosh\b/u.test(userAgent) && maxTouchPoints > 1),
    isInstalled: matchMedia("(display-mode: standalone)").matches,
  };
}

export function judgePushSupport(facts: BrowserFacts): PushSupport {
  const { isSecure, hasPush, permission, isApplePhone, isInstalled } = facts;
  if (!isSecure) {
    return {
      kind: "no",
      why: "This page was loaded over http, and browsers show notifications only for https pages.",
      wayOut: "Open it at an https address. guides/devices.md shows three ways to get one.",
    };
  }
  if (isApplePhone && !isInstalled) {
    return {
      kind: "no",
      why: "On an iPhone or iPad, only apps on the home screen can show notifications.",
      wayOut: "Tap Share, then “Add to Home Screen”, and open Holdpoint from there.",
    };
  }
  if (!hasPush || permission === undefined) {
    return {
      kind: "no",
      why: "This browser cannot receive notifications while the page is closed.",
      wayOut: "Use a current version of Chrome, Edge, Firefox or Safari, and not a private window.",
    };
  }
  if (permission === "denied") {
    return {
      kind: "no",
      why: "Notifications from this page are blocked in this browser.",
      wayOut: "Allow them in the browser's settings for this page, then reload it.",
    };
  }
  return { kind: "yes" };
}
