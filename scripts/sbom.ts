// Writes the bill of materials of the published package in CycloneDX format: its dependencies, and the packages
// bundled into it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

import { readPublished } from "./supply/check-supply.ts";
import { createSbom, findSbomFaults } from "./supply/create-sbom.ts";

const TARGET = "dist/holdpoint";

const manifest = JSON.parse(readFileSync("packages/cli/package.json", "utf8")) as {
  name: string;
  version: string;
  license: string;
};
const sbom = createSbom(manifest, readPublished());
const faults = findSbomFaults(sbom);
if (faults.length > 0) {
  process.stderr.write(`The bill of materials is wrong: ${faults.join(", ")}\n`);
  process.exit(1);
}
mkdirSync(TARGET, { recursive: true });
writeFileSync(`${TARGET}/sbom.cdx.json`, `${JSON.stringify(sbom, undefined, 2)}\n`);
process.stdout.write(`${sbom.components.length} packages are in ${TARGET}/sbom.cdx.json.\n`);
