import { expect } from "vitest";

import { test } from "./support/test.ts";

/** Scripts that remove features which browsers below the supported versions lack. */
const LACKS: Readonly<Record<string, string>> = {
  "AbortSignal.any": "delete AbortSignal.any",
  "Promise.withResolvers": "delete Promise.withResolvers",
  "Map.groupBy": "delete Map.groupBy",
  "light-dark() in styles":
    "CSS.supports = ((supports) => (...of) => !/light-dark/.test(of.join()) && supports.apply(CSS, of))(CSS.supports)",
};

test("a browser that lacks a feature is reported as too old, in its language, and its launch link stays usable", async ({
  gateway,
  openDevice,
}) => {
  const link = await gateway.nextLink();
  for (const [lack, script] of Object.entries(LACKS)) {
    const german = lack === "Map.groupBy";
    const device = await openDevice(gateway, {
      signedIn: false,
      locale: german ? "de-AT" : "en-GB",
    });
    device.allowProblem(/The page has no #root|is not a function/u);
    await device.context.addInitScript(script);
    await device.page.goto(link);
    const said = device.page.getByRole("alert");
    await said.waitFor();
    const words = german ? "Dieser Browser ist zu alt" : "This browser is too old";
    expect([lack, await said.innerText()]).toEqual([lack, expect.stringContaining(words)]);
    expect(await device.page.locator("body").innerText()).not.toContain("Another program");
    await device.context.close();
  }
  const { page } = await openDevice(gateway, { signedIn: false });
  await page.goto(link);
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.endsWith(".device")),
  );
});
