import { describe, expect } from "vitest";

import { Api, pending, until } from "../support/api.ts";
import { NETWORK_TROUBLE, test } from "./support/behind-line.ts";
import {
  button,
  card,
  CARDS,
  composer,
  conversation,
  fillQuestions,
  heard,
  PROMPTS,
  startDemo,
} from "./support/conversation.ts";
import { mainlyOn } from "./support/test.ts";

describe("When the network breaks", () => {
  test.for(mainlyOn("desktop"))(
    "an answer on its way is shown as neither sent nor failed, keeps its draft, and goes through later, on a %s",
    async (screen, { startBehindLine, line, openDevice }) => {
      const gateway = await startBehindLine();
      const device = await openDevice(gateway.viaLine, { screen });
      const { page } = device;
      device.allowProblem(NETWORK_TROUBLE);
      const sessionId = await startDemo(gateway, PROMPTS.questions);
      await device.open(`/s/${sessionId}`);
      const questions = card(page, CARDS.questions);
      await fillQuestions(device, questions);
      line.cut();
      await device.press(button(questions, "Submit"));
      await questions.getByText("Not confirmed").waitFor();
      await questions
        .getByText("The gateway may not have received it. Your answer is kept here.")
        .waitFor();
      await questions.getByText("“Ask Ada”").waitFor();
      expect((await pending(new Api(gateway.url), sessionId)).status).toBe("pending");

      const offline = page.getByText("Offline.");
      await offline.waitFor();
      line.mend();
      // A visible page retries each second: it may be back before the button is pressed.
      const pressed = device.press(button(page, "Try now")).catch(() => undefined);
      await Promise.race([pressed, offline.waitFor({ state: "detached" })]);
      await offline.waitFor({ state: "detached" });
      await device.press(button(questions, "Retry"));
      await card(page, "Submitted").getByText("Delivered to the agent").waitFor();
      await conversation(page).getByText("This is what reached me").waitFor();
    },
  );

  test("while text streams, the page reconnects and shows it without gaps or repetitions", async ({
    startBehindLine,
    line,
    openDevice,
  }) => {
    const gateway = await startBehindLine();
    const [broken, whole] = [await openDevice(gateway.viaLine), await openDevice(gateway)];
    broken.allowProblem(NETWORK_TROUBLE);
    const api = new Api(gateway.url);
    const { sessionId } = await api.createSession({ agent: "demo" });
    for (const device of [broken, whole]) {
      await device.page.setViewportSize({ width: 1440, height: 3000 });
      await device.open(`/s/${sessionId}`);
      await button(device.page, PROMPTS.tour).waitFor();
    }
    await api.send(sessionId, "Tell me what you can do");
    const log = conversation(broken.page);
    await log.getByText("scripted demo agent").waitFor();
    line.cut();
    await broken.page
      .getByText(/^(?:Reconnecting…|Offline)/)
      .first()
      .waitFor();
    line.mend();
    for (const { page } of [broken, whole]) {
      await conversation(page).getByText("answer from another device").waitFor();
      await button(page, "Stop").waitFor({ state: "detached" });
    }
    expect(await log.getByText("I am a scripted demo agent").count()).toBe(1);
    expect(await heard(log)).toBe(await heard(conversation(whole.page)));
  });

  test("a message that could not be sent stays in its field, even over a reload, and is sent once", async ({
    startBehindLine,
    line,
    openDevice,
  }) => {
    const gateway = await startBehindLine();
    const device = await openDevice(gateway.viaLine);
    const { page } = device;
    device.allowProblem(NETWORK_TROUBLE);
    const api = new Api(gateway.url);
    const { sessionId } = await api.createSession({ agent: "demo" });
    await device.open(`/s/${sessionId}`);
    await button(page, PROMPTS.tour).waitFor();
    await composer(page).fill("Are you there?");
    line.cut();
    await composer(page).press("Enter");
    await page.getByRole("alert").getByText("Your text is kept.").waitFor();
    expect(await composer(page).inputValue()).toBe("Are you there?");
    line.mend();
    await page.reload();
    await expect.poll(() => composer(page).inputValue()).toBe("Are you there?");
    await composer(page).press("Enter");
    await conversation(page).getByText("You: Are you there?").waitFor();
    expect(await composer(page).inputValue()).toBe("");
    const said = (await api.events(sessionId)).filter(({ type }) => type === "user_message");
    expect(said).toHaveLength(1);
  });
});

describe("When the gateway is killed and started again", () => {
  test.for(mainlyOn("phone"))(
    "[R-4] the card shows that the agent is gone, and a late answer reaches the agent, on a %s",
    async (screen, { startBehindLine, dataDir, openDevice }) => {
      const killed = await startBehindLine({ dataDir });
      const device = await openDevice(killed.viaLine, { screen });
      const { page } = device;
      device.allowProblem(NETWORK_TROUBLE);
      const sessionId = await startDemo(killed, PROMPTS.questions);
      await device.open(`/s/${sessionId}`);
      const questions = card(page, CARDS.questions);
      await fillQuestions(device, questions);
      await killed.stop("SIGKILL");
      await device.press(button(questions, "Submit"));
      await questions.getByText("Not confirmed").waitFor();

      const gateway = await startBehindLine({ dataDir });
      await questions
        .getByText("The agent stopped")
        .or(questions.getByText("Not confirmed"))
        .waitFor();
      await page.reload();
      await questions.getByText("The agent stopped").waitFor();
      await questions.getByText("Your answer will reach it as a message.").waitFor();
      await device.press(button(questions, "Submit"));
      const settled = card(page, "Submitted");
      await settled.getByText("Sent to the agent as a message").waitFor();
      await conversation(page).getByText("Your late answer, sent to the agent").waitFor();
      await conversation(page).getByText("Your answer reached me, although it is late").waitFor();
      const api = new Api(gateway.url);
      await until(async () => (await api.session(sessionId)).status === "idle", "the end");
      const events = await api.events(sessionId);
      expect(events.filter(({ type }) => type === "interaction_delivered")).toHaveLength(1);
    },
  );
});
