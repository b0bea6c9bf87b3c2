import { describe, expect } from "vitest";

import { button, PROMPTS } from "./support/conversation.ts";
import { test } from "./support/test.ts";

/**
 * `openDevice` checks that no page of any test violates the policy; this test checks that a violation would be
 * noticed.
 */
describe("The content security policy", () => {
  test("refuses and reports inline scripts, evaluation, foreign requests and plain HTML", async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway);
    const { page } = device;
    await device.open();
    await button(page, PROMPTS.tour).waitFor();
    expect(device.problems).toEqual([]);
    await page.evaluate(async () => {
      const script = document.createElement("script");
      script.append("document.title = 'owned'");
      try {
        document.body.append(script);
      } catch {
        // Trusted Types refuse it before the policy for scripts does.
      }
      await fetch("https://example.invalid/").catch(() => undefined);
    });
    const assigned = await page.evaluate(() => {
      try {
        document.body.insertAdjacentHTML("beforeend", "<b>owned</b>");
        return "assigned";
      } catch {
        return "refused";
      }
    });
    expect(assigned).toBe("refused");
    expect(await page.title()).not.toBe("owned");
    const violated = (): string[] =>
      device.problems.flatMap((problem) => /^violation: ([\w-]+)/.exec(problem)?.[1] ?? []);
    await expect.poll(violated).toContain("connect-src");
    await expect.poll(violated).toContain("require-trusted-types-for");
    device.allowProblem(/^violation|^console error/);
  });
});
