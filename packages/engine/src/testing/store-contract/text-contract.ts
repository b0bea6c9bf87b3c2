import { expect, test } from "vitest";

import { creation, instant, interactionRow, messageEvent, messageRow } from "./store-fixtures.ts";
import { type Open, SESSION, contentsOf } from "./store-suite.ts";

/** Any text and any key is read back unchanged. */
export function describeText(open: Open): void {
  test.each([
    "plain",
    "two\nlines\r\n and \u2028 and \u2029",
    'quotes " and \\ and / and </script>',
    "a lone \ud800 surrogate \udfff",
    "nul \u0000, escape \u001b, bidi \u202e, bom \ufeff",
    "🙂 e\u0301 é",
    "x".repeat(300_000),
  ])("text is read back unchanged: %.40j", async (content) => {
    await using store = await open(creation(SESSION, { title: content }));
    const row = interactionRow(SESSION, "int_1", { prompt: content });
    const message = messageRow(SESSION, "msg_1", { content });
    await store.append({
      sessionId: SESSION,
      events: [messageEvent(content)],
      interactions: [{ row, expectedStatus: undefined }],
      enqueue: [message],
    });
    expect(await contentsOf(store, SESSION)).toEqual([content]);
    expect((await store.getSession(SESSION))?.title).toBe(content);
    expect(await store.getInteraction("int_1")).toEqual(row);
    expect(await store.listQueue(SESSION)).toEqual([message]);
    const [event] = await store.readEvents(SESSION, { limit: 1 });
    expect(event?.json).not.toMatch(/[\r\n]/);
  });

  test("keys with a meaning in JavaScript are data", async () => {
    const input = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":1,"toJSON":"no","":0,"nested":{"__proto__":null}}',
    ) as Record<string, unknown>;
    await using store = await open(creation(SESSION));
    const row = interactionRow(SESSION, "int_1", {
      form: { schema: { type: "object", properties: {} }, initialValues: input },
    });
    await store.append({
      sessionId: SESSION,
      events: [{ at: instant(0), type: "tool_call", toolCallId: "c", toolName: "t", input }],
      interactions: [{ row, expectedStatus: undefined }],
    });
    const [event] = await store.readEvents(SESSION, { limit: 1 });
    const text = JSON.stringify(input);
    expect(event?.json).toContain(`"input":${text}`);
    const read = await store.getInteraction("int_1");
    expect(JSON.stringify(read?.interaction.form?.initialValues)).toBe(text);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
}
