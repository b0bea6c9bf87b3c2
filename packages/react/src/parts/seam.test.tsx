import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { createSeam } from "./seam.tsx";

test("a server renders a part's placeholder, as the page does before it has the code", async () => {
  const { Part, load } = createSeam(async () => ({ Card: () => <p>The part</p> }));
  const draw = () => renderToString(<Part of="Card" instead={() => <p>Loading</p>} />);
  expect(draw()).toBe("<p>Loading</p>");
  // The page that takes it over may not have the code yet.
  await load();
  expect(draw()).toBe("<p>Loading</p>");
});
