import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { createLazyPart } from "./lazy-part.tsx";

test("a server renders a part's placeholder, as the page does before it has the code", async () => {
  const { Part, preload } = createLazyPart<object>(
    () => <p>Loading</p>,
    async () => () => <p>The part</p>,
  );
  expect(renderToString(<Part />)).toBe("<p>Loading</p>");
  // The page that takes it over may not have the code yet.
  await preload();
  expect(renderToString(<Part />)).toBe("<p>Loading</p>");
});
