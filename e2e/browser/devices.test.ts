import { describe, expect } from "vitest";

import { Api, pending } from "../support/api.ts";
import type { Device } from "../support/browser.ts";
import {
  button,
  card,
  CARDS,
  conversation,
  fillQuestions,
  openDemo,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { createJumpClock } from "./support/jump-clock.ts";
import { openScriptedGateway, sayAndAsk } from "./support/scripted-gateway.ts";
import { type OpenDevice, test } from "./support/test.ts";

const HOUR_MS = 60 * 60 * 1000;
const modeOn = ({ page }: Device) => page.getByRole("combobox", { name: "Permission mode" });
const end = ({ page }: Device) => button(page, "End now");

/** Two devices that both show that everything is allowed for an hour. */
async function allowEverything(
  { owned, openDevice }: { owned: AsyncDisposableStack; openDevice: OpenDevice },
  clock = createJumpClock(),
) {
  const gateway = owned.use(
    await openScriptedGateway(sayAndAsk(["Done."], []), {
      clock,
      agent: {
        permissionModes: [
          { mode: "default", label: "Ask before acting" },
          { mode: "all", label: "Allow everything", endsInto: "default" },
        ],
      },
    }),
  );
  const sessionId = await gateway.start();
  const desk = await openDevice(gateway);
  const phone = await openDevice(gateway, { screen: "phone" });
  for (const device of [desk, phone]) await device.open(`/s/${sessionId}`);
  await modeOn(desk).selectOption("all");
  await desk.press(button(desk.page, "Allow for 1 hour"));
  for (const device of [desk, phone]) {
    await end(device).waitFor();
    expect(await modeOn(device).inputValue()).toBe("all");
  }
  return { gateway, sessionId, desk, phone };
}

describe("[R-1] Two devices", () => {
  test("show one answer: on the other device the card turns read-only and shows who answered what", async ({
    gateway,
    openDevice,
  }) => {
    const desk = await openDevice(gateway);
    const phone = await openDevice(gateway, { screen: "phone" });
    const sessionId = await startDemo(gateway, PROMPTS.questions);
    for (const device of [desk, phone]) await device.open(`/s/${sessionId}`);
    const onDesk = card(desk.page, CARDS.questions);
    const onPhone = card(phone.page, CARDS.questions);
    await desk.press(onDesk.getByRole("radio", { name: "Headline" }));
    await fillQuestions(phone, onPhone);
    await phone.press(button(onPhone, "Submit"));

    await card(phone.page, "Submitted").getByText("you, on this device").waitFor();
    const elsewhere = card(desk.page, "Answered on another device");
    for (const value of ["Plain list", "Unit tests", "“Ask Ada”", /, on \w+ on Linux/]) {
      await elsewhere.getByText(value).first().waitFor();
    }
    await onDesk.waitFor({ state: "detached" });
    expect(await elsewhere.getByRole("radio").count()).toBe(0);
    expect(await elsewhere.getByRole("button").count()).toBe(0);
  });

  test("that answer at the same time agree on one winner, and the loser shows the winner's decision", async ({
    gateway,
    openDevice,
  }) => {
    const desk = await openDevice(gateway);
    const phone = await openDevice(gateway, { screen: "phone" });
    for (const device of [desk, phone]) device.allowProblem(/409/);
    const sessionId = await startDemo(gateway, PROMPTS.edit);
    for (const device of [desk, phone]) await device.open(`/s/${sessionId}`);
    const onDesk = card(desk.page, CARDS.checklist);
    const onPhone = card(phone.page, CARDS.checklist);
    // Both requests are held until both are sent, so that neither device knows of the other's.
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    for (const [index, device] of [desk, phone].entries()) {
      await device.context.route("**/response", async (route) => {
        both[index]?.resolve();
        await Promise.all(both.map(({ promise }) => promise));
        await route.continue();
      });
    }
    await Promise.all([
      desk.press(button(onDesk, "Allow once")),
      phone.press(button(onPhone, "Deny")),
    ]);

    const here = "you, on this device";
    for (const { page } of [desk, phone]) {
      await conversation(page).getByText("Delivered to the agent").waitFor();
    }
    const won = await desk.page.getByText(here).isVisible();
    expect(await phone.page.getByText(here).isVisible()).toBe(!won);
    const decision = won ? /^Allowed once$/ : /^Denied$/;
    for (const { page } of [desk, phone]) await conversation(page).getByText(decision).waitFor();
    await card((won ? phone : desk).page, "Answered on another device").waitFor();
  });

  test("[R-5] show the end of “Allow everything” at once, and its button disappears", async ({
    owned,
    openDevice,
  }) => {
    const { gateway, sessionId, desk, phone } = await allowEverything({ owned, openDevice });
    // Both press before either knows of the other.
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    for (const [index, device] of [desk, phone].entries()) {
      await device.context.route(`**/api/sessions/${sessionId}`, async (route) => {
        both[index]?.resolve();
        await Promise.all(both.map(({ promise }) => promise));
        await route.continue();
      });
    }
    await Promise.all([phone.press(end(phone)), desk.press(end(desk))]);
    for (const device of [desk, phone]) {
      await end(device).waitFor({ state: "detached" });
      await expect.poll(() => modeOn(device).inputValue()).toBe("default");
    }
    const modes = (await new Api(gateway.url).events(sessionId)).flatMap((event) =>
      event.type === "session_updated" && event.permissionMode ? [event.permissionMode] : [],
    );
    expect(modes[0]).toBe("all");
    expect(new Set(modes.slice(1))).toEqual(new Set(["default"]));
  });

  test("[R-5] show once, and at once, that the time of “Allow everything” is over", async ({
    owned,
    openDevice,
  }) => {
    const clock = createJumpClock();
    const { gateway, sessionId, desk, phone } = await allowEverything({ owned, openDevice }, clock);
    clock.jump(HOUR_MS - 60_000);
    // A minute is left.
    expect((await new Api(gateway.url).session(sessionId)).permissionMode).toBe("all");
    clock.jump(60_000);
    for (const device of [desk, phone]) {
      await end(device).waitFor({ state: "detached" });
      await expect.poll(() => modeOn(device).inputValue()).toBe("default");
      const over = conversation(device.page).getByText(
        /The time limit for running everything .* has expired/u,
      );
      await over.first().waitFor();
      expect(await over.count()).toBe(1);
    }
    const modes = (await new Api(gateway.url).events(sessionId)).flatMap((event) =>
      event.type === "session_updated" && event.permissionMode ? [event.permissionMode] : [],
    );
    expect(modes).toEqual(["all", "default"]);
  });

  test("[R-13] a device with answering off shows the card read-only, and answers once it is turned on", async ({
    gateway,
    openDevice,
  }) => {
    const { device, page, sessionId } = await openDemo(openDevice, gateway, PROMPTS.questions);
    const questions = card(page, CARDS.questions);
    await device.press(questions.getByRole("radio", { name: "Short story" }));
    const answering = page.getByRole("switch", { name: "Answer from this device" });
    await device.press(page.getByText("Answer from this device"));
    await questions.getByText("Answering is off on this device").waitFor();
    await questions.getByText("Turn it on to answer here").waitFor();
    expect(await button(questions, "Next").count()).toBe(0);
    await questions.getByRole("radio", { name: "Headline" }).click({ force: true });
    expect(await questions.getByRole("radio", { name: "Short story" }).isChecked()).toBe(true);

    const clientId = await page.evaluate(() => localStorage.getItem("holdpoint.clientId"));
    const api = new Api(gateway.url, { clientId: clientId ?? "" });
    const { interactionId } = await pending(api, sessionId);
    expect(await api.respond(interactionId, { action: "cancel" })).toMatchObject({
      status: 403,
      body: { code: "INTERACTION_DISABLED" },
    });

    await page.reload();
    await questions.getByText("Answering is off on this device").waitFor();
    expect(await answering.isChecked()).toBe(false);
    await device.press(page.getByText("Answer from this device"));
    await device.press(button(questions, "Next"));
    await device.press(questions.getByRole("checkbox", { name: "Speed budget" }));
    await device.press(button(questions, "Next"));
    await device.press(button(questions, "Submit"));
    await card(page, "Submitted").getByText("Short story").first().waitFor();
  });
});

describe("A device that is signed out from elsewhere", () => {
  test("shows it without being touched, and forgets its key", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const device = await openDevice(gateway, { signedIn: false });
    const { page } = device;
    device.allowProblem(/401/);
    await page.goto(gateway.launchUrl);
    await button(page, PROMPTS.tour).waitFor();
    const api = new Api(gateway.url);
    const { body } = await api.call<{ items: { deviceId: string }[] }>("GET", "/devices");
    for (const { deviceId } of body.items) await api.call("DELETE", `/devices/${deviceId}`);
    await page.getByRole("heading", { name: "This browser was signed out" }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("holdpoint.device"))).toBeNull();
    expect(await page.evaluate(countKeys)).toBe(0);
  });
});

/** Runs in the page: the number of sign-in keys it stores. */
function countKeys(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("holdpoint");
    opening.addEventListener("error", () => reject(opening.error ?? new Error("No database.")));
    opening.addEventListener("success", () => {
      const count = opening.result.transaction("device").objectStore("device").count();
      count.addEventListener("success", () => resolve(count.result));
    });
  });
}
