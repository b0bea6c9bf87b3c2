import { setTimeout } from "node:timers/promises";

import {
  type Browser,
  type BrowserContext,
  chromium,
  type ElementHandle,
  type Locator,
  type Page,
} from "playwright-core";

import { BROWSER_HELP, findBrowser, findHeadlessShell } from "./find-browser.ts";

export const SCREENS = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
export type Screen = keyof typeof SCREENS;

/** Longer than anything takes on a slow machine, and short enough to fail before the test's own limit. */
const PATIENCE_MS = 60_000;

/**
 * Features that no test uses and that took most of the processor time of a new device: each window prepares two pages
 * of suggestions for its address bar, and each page a process for another site. The others are those that Playwright
 * switches off: only the last list counts.
 */
const FEATURES_OFF = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "SpareRendererForSitePerProcess",
  "Translate",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];

export interface BrowserOptions {
  readonly args?: readonly string[];
  /** Starts a browser with features that the headless shell lacks: notifications, push and installing. */
  readonly isWhole?: boolean;
}

/**
 * Starts a Chromium without a window, preferably its lighter headless shell. Rejects when there is none, with the
 * command that installs one.
 */
export async function launchBrowser({
  args = [],
  isWhole = false,
}: BrowserOptions = {}): Promise<Browser> {
  const executablePath = (isWhole ? undefined : findHeadlessShell()) ?? findBrowser();
  if (executablePath === undefined) throw new Error(`No Chromium. ${BROWSER_HELP}`);
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${FEATURES_OFF.join()}`,
      ...args,
    ],
  });
}

export interface DeviceOptions {
  readonly url: string;
  readonly screen?: Screen;
  readonly colorScheme?: "light" | "dark";
  /**
   * The source of launch links: the first page that the device opens signs it in. Without it, the device is a
   * stranger.
   */
  readonly nextLink?: (() => Promise<string>) | undefined;
  readonly deviceScaleFactor?: number;
  /** The person's language. Default: British English. */
  readonly locale?: string;
}

/** The browser's message about a page that is left while it still connects. */
const LEFT_EARLY = /WebSocket is closed before the connection is established/u;

/** A browser profile: devices share nothing but the gateway. */
export interface Device extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly screen: Screen;
  /** Page errors, console errors and refusals by the content security policy, without the allowed ones. */
  readonly problems: readonly string[];
  /** Allows problems that match, earlier ones included. */
  allowProblem(pattern: RegExp): void;
  /** Opens the page, the first time with a launch link, like a person who follows one. */
  open(path?: string): Promise<void>;
  /** Clicks, or taps on a device without a mouse. */
  press(locator: Locator): Promise<void>;
}

export async function openDevice(browser: Browser, options: DeviceOptions): Promise<Device> {
  const {
    url,
    screen = "desktop",
    colorScheme = "light",
    deviceScaleFactor,
    locale = "en-GB",
  } = options;
  const context = await browser.newContext({
    ...SCREENS[screen],
    ...(deviceScaleFactor !== undefined && { deviceScaleFactor }),
    colorScheme,
    baseURL: url,
    locale,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const allowed: RegExp[] = [LEFT_EARLY];
  const problems: string[] = [];
  const complain = (problem: string): void => void problems.push(problem);
  await context.exposeBinding("reportViolation", (_source, violation: string) =>
    complain(`violation: ${violation}`),
  );
  await context.addInitScript(listenForViolations);
  const page = await context.newPage();
  page.on("pageerror", (error) => complain(`page error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      complain(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  let { nextLink } = options;
  return {
    page,
    context,
    screen,
    get problems() {
      return problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)));
    },
    allowProblem: (pattern) => void allowed.push(pattern),
    async open(path = "/") {
      if (nextLink === undefined) return void (await page.goto(path));
      // A link is valid at every address and path of its gateway.
      await page.goto(`${path}${new URL(await nextLink()).hash}`);
      nextLink = undefined;
      // Under a path, the name contains the path.
      await page.waitForFunction(() =>
        Object.keys(localStorage).some((key) => /^holdpoint.*\.device$/u.test(key)),
      );
    },
    press: (locator) => (screen === "phone" ? tap(locator) : locator.click()),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** How long a busy machine may take from a touch to its click. */
const CLICK_LIMIT_MS = 2000;
const LOOK_MS = 40;

/**
 * Taps until the element has received a click, as a person does. When the element moves between touch and click, the
 * page ignores the click, and Playwright, which only checks the touch, does not notice.
 */
async function tap(locator: Locator): Promise<void> {
  for (;;) {
    await locator.evaluate((one) => {
      Reflect.set(one, "wasPressed", false);
      const note = (): void => void Reflect.set(one, "wasPressed", true);
      one.addEventListener("click", note, { once: true, capture: true });
    });
    const element = await locator.elementHandle();
    await locator.tap();
    const limit = performance.now() + CLICK_LIMIT_MS;
    while (performance.now() < limit) {
      if (element === null || (await hasPressed(element))) return;
      await setTimeout(LOOK_MS);
    }
  }
}

/** Also true when the press removed the element or led to another page. */
async function hasPressed(element: ElementHandle): Promise<boolean> {
  const isPressed = (one: Node): boolean =>
    !one.isConnected || Reflect.get(one, "wasPressed") === true;
  return element.evaluate(isPressed).catch(() => true);
}

/** Runs in each page, before its own scripts. */
function listenForViolations(): void {
  document.addEventListener("securitypolicyviolation", (event) => {
    const report = Reflect.get(globalThis, "reportViolation") as (violation: string) => void;
    report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
  });
}
