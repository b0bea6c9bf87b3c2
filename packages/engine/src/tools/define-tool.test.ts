import { describe, expect, test } from "vitest";
import { z } from "zod";

import { compileTool, defineTool } from "./define-tool.ts";
import { ToolRegistry } from "./tool-registry.ts";

const tool = { name: "weather", description: "Tells the weather.", handler: () => "sunny" };

describe("a tool", () => {
  test("types its arguments with a zod schema and describes them to agents", async () => {
    const parameters = z.object({ city: z.string().min(1), days: z.int().default(1) });
    const forecast = defineTool({
      ...tool,
      parameters,
      handler: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
    });
    const compiled = compileTool(forecast);
    expect(compiled.inputSchema).toMatchObject({
      type: "object",
      properties: { city: { type: "string", minLength: 1 }, days: { type: "integer" } },
      required: ["city"],
    });
    expect(await compiled.parse({ city: "Ulm" })).toEqual({
      status: "valid",
      args: { city: "Ulm", days: 1 },
    });
  });

  test("is checked by a JSON Schema", async () => {
    const compiled = compileTool({
      ...tool,
      parameters: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
        additionalProperties: false,
      },
    });
    expect(await compiled.parse({ city: "Ulm" })).toEqual({
      status: "valid",
      args: { city: "Ulm" },
    });
    expect(await compiled.parse({ city: 7 })).toMatchObject({ status: "invalid" });
    expect(await compiled.parse({ city: "Ulm", more: 1 })).toMatchObject({ status: "invalid" });
    expect(await compiled.parse(undefined)).toMatchObject({ status: "invalid" });
  });

  test("accepts no arguments without parameters", async () => {
    expect(compileTool(tool).inputSchema).toMatchObject({ type: "object", properties: {} });
    expect(await compileTool(tool).parse(undefined)).toEqual({ status: "valid", args: {} });
  });

  test("reports invalid arguments without quoting them", async () => {
    const parameters = z.object({ pin: z.string().max(4), count: z.number() });
    const parsed = await compileTool({ ...tool, parameters }).parse({
      pin: "s3cret-pin",
      count: "2",
    });
    expect(parsed).toMatchObject({ status: "invalid" });
    expect(JSON.stringify(parsed)).toMatch(/pin.*count/);
    expect(JSON.stringify(parsed)).not.toContain("s3cret-pin");
  });

  test("keeps its `this`", () => {
    class WithState {
      readonly name = tool.name;
      readonly description = tool.description;
      readonly answer = 42;
      handler() {
        return this.answer;
      }
    }
    expect(compileTool(new WithState()).handler({}, undefined as never)).toBe(42);
  });

  test.each([
    [null, /not an object/],
    [{ ...tool, name: undefined }, /has an invalid name: undefined/],
    [{ ...tool, name: "rm -rf" }, /"rm -rf"/],
    [{ ...tool, name: "x".repeat(65) }, /has an invalid name/],
    [{ ...tool, description: " " }, /weather.*no description/],
    [{ ...tool, handler: "later" }, /weather.*no handler/],
    [{ ...tool, parameter: {} }, /weather.*"parameter" is not a property of a tool/],
    [JSON.parse(`{ "name": "weather", "__proto__": 1 }`), /"__proto__" is not a property/],
    [{ ...tool, parameters: 7 }, /weather.*neither a zod schema nor a JSON Schema/],
    [{ ...tool, parameters: { _def: {} } }, /weather.*zod 3/],
    [{ ...tool, parameters: { type: "string" } }, /weather.*not an object/],
    [{ ...tool, parameters: z.string() }, /weather.*not an object/],
    [{ ...tool, parameters: z.object({ at: z.date() }) }, /weather.*cannot be described/],
  ])("is refused with the reason if it is invalid: %#", (value, problem) => {
    expect(() => compileTool(value)).toThrow(problem);
    expect(() => compileTool(value)).toThrow(TypeError);
  });
});

describe("the registry", () => {
  const builtIn = { ...tool, name: "ask_user" };

  test("lists the built-in tools and the others", () => {
    const registry = new ToolRegistry([builtIn], [tool]);
    expect(registry.list().map(({ name }) => name)).toEqual(["ask_user", "weather"]);
    expect(registry.list()).toBe(registry.list());
    expect(registry.get("weather")?.handler({}, undefined as never)).toBe("sunny");
    expect(registry.get("toString")).toBeUndefined();
  });

  test("lets a tool replace a built-in one", () => {
    const registry = new ToolRegistry([builtIn], [{ ...builtIn, description: "Mine." }]);
    expect(registry.list()).toMatchObject([{ name: "ask_user", description: "Mine." }]);
  });

  test("replaces all tools or none", () => {
    const registry = new ToolRegistry([builtIn], [tool]);
    const other = { ...tool, name: "other" };
    expect(() => registry.replace([other, { ...tool, handler: 1 }])).toThrow(/weather/);
    expect(registry.get("weather")).toBeDefined();
    registry.replace([other]);
    expect(registry.list().map(({ name }) => name)).toEqual(["ask_user", "other"]);
  });

  test("refuses two tools with the same name", () => {
    expect(() => new ToolRegistry([], [tool, tool])).toThrow(/Two tools have the name weather/);
  });
});
