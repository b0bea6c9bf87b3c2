// Shows notifications, and an "Offline" page while the gateway cannot be reached. It has no credential, answers nothing
// on its own, and caches only that page: everything else comes from the gateway each time.

/** The path of the page, written by the gateway. */
const PLACE = "./";
/** Includes the path, since other gateways on the same origin have caches too. */
const OFFLINE_CACHE = `offline-2${PLACE.slice(0, -1)}`;
const OFFLINE_PAGE = `${PLACE}offline.html`;
const OFFLINE_FILES = [
  OFFLINE_PAGE,
  ...["offline.css", "offline.js", "favicon.svg"].map((name) => PLACE + name),
];
const PAST = [`${PLACE}assets/*`, `${PLACE}api/*`];
/** How long a notification is shown as answered. Browsers require each push message to show something. */
const ANSWERED_MS = 700;
/** Shown for a message that is not the gateway's. */
const UNREADABLE = {
  step: "tell",
  tag: "more",
  title: /^de\b/iu.test(self.navigator.language)
    ? "Etwas wartet auf Sie"
    : "Something is waiting for you",
  body: "Holdpoint",
  path: "/",
};

self.addEventListener("install", (event) => {
  // Code and data bypass the service worker in browsers that support it.
  event.addRoutes?.(PAST.map((urlPattern) => ({ condition: { urlPattern }, source: "network" })));
  // A new version takes over at once: no page depends on the cache of an earlier one.
  event.waitUntil(Promise.all([keepOfflinePage(), self.skipWaiting()]));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forgetOtherCaches(), self.clients.claim()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(fromGateway(request, OFFLINE_PAGE));
  else if (OFFLINE_FILES.includes(pathname)) event.respondWith(fromGateway(request, pathname));
});

self.addEventListener("push", (event) => {
  event.waitUntil(take(readMessage(event.data)));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(toUrl(event.notification.data?.path)));
});

async function keepOfflinePage() {
  const cache = await caches.open(OFFLINE_CACHE);
  await cache.addAll(OFFLINE_FILES.map((path) => new Request(path, { cache: "reload" })));
}

async function forgetOtherCaches() {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter((name) => name !== OFFLINE_CACHE && (PLACE === "/" || isOwnCache(name)))
      .map((name) => caches.delete(name)),
  );
}

/** Whether it is the cache of an earlier release at the same path. */
function isOwnCache(name) {
  return name.replace(/^offline-\d+/u, "offline") === `offline${PLACE.slice(0, -1)}`;
}

/** The gateway's response, or the cached one while the gateway is away. */
async function fromGateway(request, kept) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(kept)) ?? Response.error();
  }
}

function readMessage(data) {
  try {
    const message = data.json();
    const texts = [message.tag, message.title, message.body, message.path];
    return texts.every((text) => typeof text === "string") ? message : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

async function take(message) {
  if (message.step === "close") return takeBack(message);
  // A page in view shows the request itself.
  if (message.step !== "test" && (await isLooking())) return;
  await show(message, { renotify: message.step !== "tell", silent: false });
}

/** Shows for a moment that the request was answered, then closes the notification. */
async function takeBack(message) {
  if (!(await isLooking())) await show(message, { silent: true });
  else return closeAll(message.tag);
  // After this event, so that the browser registers that something was shown.
  // oxlint-disable-next-line no-restricted-globals -- a plain script has no injected clock
  setTimeout(() => void closeAll(message.tag), ANSWERED_MS);
}

async function closeAll(tag) {
  const shown = await self.registration.getNotifications({ tag });
  for (const notification of shown) notification.close();
}

function show({ tag, title, body, path }, options) {
  return self.registration.showNotification(title, {
    ...options,
    tag,
    body,
    icon: `${PLACE}icon-192.png`,
    data: { path },
  });
}

async function isLooking() {
  return (await openPages()).some(({ visibilityState }) => visibilityState === "visible");
}

/** The open pages of this gateway, without other pages of the origin. */
async function openPages() {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.filter(({ url }) => url.startsWith(self.location.origin + PLACE));
}

/** An address within the gateway, whatever the message contains. */
function toUrl(path) {
  const home = self.location.origin + PLACE;
  const isPath = typeof path === "string" && /^\/(?!\/)/u.test(path);
  const { href } = new URL(isPath ? PLACE + path.slice(1) : PLACE, home);
  return href.startsWith(home) ? href : home;
}

async function open(url) {
  const there = (await openPages()).find((page) => page.url === url);
  return there ? there.focus() : self.clients.openWindow(url);
}
