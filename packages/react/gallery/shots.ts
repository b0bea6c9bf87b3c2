// npx node packages/react/gallery/shots.ts OUT_DIR: pictures of the gallery, and what axe says of it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import type { AxeResults } from "axe-core";
import { chromium } from "playwright-core";
import { createServer } from "vite";

function report(...words: unknown[]): void {
  process.stdout.write(`${words.map(String).join(" ")}\n`);
}

const out = process.argv[2] ?? "/tmp/gallery";
const only = process.argv[3];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const server = await createServer({
  configFile: fileURLToPath(new URL("vite.config.ts", import.meta.url)),
  server: { port: 0, strictPort: false, hmr: false, watch: null },
});
await server.listen();
const base = server.resolvedUrls?.local[0] ?? "";
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
const views = [
  { name: "desktop", width: 1440, height: 1000, hasTouch: false },
  { name: "phone", width: 390, height: 844, hasTouch: true },
  { name: "narrow", width: 320, height: 700, hasTouch: true },
];
try {
  for (const theme of ["light", "dark"]) {
    for (const view of views) await shoot(theme, view);
  }
} finally {
  await browser.close();
  await server.close();
}

async function shoot(theme: string, view: (typeof views)[number]): Promise<void> {
  const { name, width, height, hasTouch } = view;
  const page = await browser.newPage({ viewport: { width, height }, hasTouch, isMobile: hasTouch });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") report(message.text());
  });
  page.on("pageerror", (error) => report(error));
  const query = only === undefined ? "" : `&only=${encodeURIComponent(only)}`;
  await page.goto(`${base}?theme=${theme}${query}`);
  await page.waitForSelector("html[data-ready]");
  await page.waitForTimeout(900);
  const total = await page.evaluate(() => document.documentElement.scrollHeight);
  // A tall window rather than one long picture: frames and sticky parts are drawn only in view.
  const slice = name === "desktop" ? 1400 : 1600;
  await page.setViewportSize({ width: name === "desktop" ? 860 : width, height: slice });
  for (let top = 0, part = 1; top < total; top += slice - 40, part += 1) {
    await page.evaluate((y) => scrollTo(0, y), top);
    await page.waitForTimeout(80);
    await page.screenshot({ path: `${out}/${name}-${theme}-${part}.png` });
  }
  await page.evaluate(axe);
  const results = await page.evaluate<AxeResults>("axe.run()");
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const counts = `${results.violations.length} violations ${results.passes.length} passes`;
  report(name, theme, `${counts}, overflow ${overflow}`);
  for (const violation of results.violations) reportViolation(violation);
  await page.close();
}

function reportViolation({ id, help, nodes }: AxeResults["violations"][number]): void {
  report(" ", id, help);
  for (const node of nodes.slice(0, 4)) {
    report("   ", node.html.slice(0, 160), node.failureSummary);
  }
}
