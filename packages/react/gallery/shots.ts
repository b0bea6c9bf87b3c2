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
    for (const { name, width, height, hasTouch } of views) {
      const page = await browser.newPage({
        viewport: { width, height },
        hasTouch,
        isMobile: hasTouch,
      });
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
      const { violations, passes } = await page.evaluate<AxeResults>("axe.run()");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      report(
        name,
        theme,
        violations.length,
        "violations",
        passes.length,
        "passes, overflow",
        overflow,
      );
      for (const { id, help, nodes } of violations) {
        report(" ", id, help);
        for (const node of nodes.slice(0, 4))
          report("   ", node.html.slice(0, 160), node.failureSummary);
      }
      await page.close();
    }
  }
} finally {
  await browser.close();
  await server.close();
}
