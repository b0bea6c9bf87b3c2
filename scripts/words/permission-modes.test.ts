import { saying } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { listPermissionModes } from "../../packages/agents/src/claude/permission-modes.ts";
import { PERMISSION_MODES } from "../../packages/agents/src/demo/permission-mode.ts";
import { loadLanguage } from "../../packages/react/src/words/load-language.ts";
import { translateTo } from "../../packages/react/src/words/translate.ts";

test("the react package has the German of every permission mode that an approval can name", async () => {
  const say = translateTo(await loadLanguage("de"));
  const modes = [...listPermissionModes({ canBypass: true }), ...PERMISSION_MODES];
  const told = modes.map(({ label }) => say.told("", [saying("changes_mode", { label })]));
  const english = modes.filter(({ label }, index) => told[index]?.includes(label));
  expect(modes.length).toBeGreaterThan(6);
  expect(english).toEqual([]);
  expect(told).toContain("Der Berechtigungsmodus wird »Änderungen erlauben«.");
});
