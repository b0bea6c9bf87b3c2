import { describe, expect, test } from "vitest";

import { createSbom, findSbomFaults } from "./create-sbom.ts";
import { closureOf, findUnpinned, type Lock } from "./read-lockfile.ts";

const integrity = `sha512-${Buffer.alloc(64, 7).toString("base64")}`;
const fine = { version: "1.0.0", license: "MIT", integrity };
const LOCK: Lock = {
  "": { name: "workspace" },
  "packages/own": { name: "own", version: "0.1.0", dependencies: { a: "1", other: "1" } },
  "node_modules/other": { link: true, resolved: "packages/other" },
  "node_modules/a": { ...fine, dependencies: { b: "2" } },
  "node_modules/a/node_modules/b": { ...fine, version: "2.0.0", dependencies: { "@c/c": "1" } },
  "node_modules/b": { ...fine },
  "node_modules/@c/c": { ...fine, license: "MIT OR Apache-2.0" },
};
const OWN = { name: "own", version: "0.1.0", license: "Apache-2.0" };

describe("a package's dependencies", () => {
  test("are found as Node finds them, through any number of steps", () => {
    const found = closureOf(LOCK, ["packages/own"]);
    expect(found.map(({ name, version }) => `${name} ${version}`)).toEqual([
      "@c/c 1.0.0",
      "a 1.0.0",
      "b 2.0.0",
    ]);
  });

  test("are pinned, and come from the registry", () => {
    expect(findUnpinned(LOCK)).toEqual([]);
    const { integrity: _, ...unpinned } = fine;
    const foreign = { ...fine, resolved: "http://mirror.example/a.tgz" };
    expect(
      findUnpinned({ ...LOCK, "node_modules/a": unpinned, "node_modules/b": foreign }),
    ).toEqual([
      "node_modules/a has no integrity",
      "node_modules/b comes from http://mirror.example/a.tgz",
    ]);
  });
});

describe("the bill of materials", () => {
  const sbom = createSbom(OWN, closureOf(LOCK, ["packages/own"]));

  test("names every package with its hash, license and dependencies, the same way each time", () => {
    expect(findSbomFaults(sbom)).toEqual([]);
    expect(createSbom(OWN, closureOf(LOCK, ["packages/own"]))).toEqual(sbom);
    expect(sbom.components[0]).toMatchObject({
      purl: "pkg:npm/%40c/c@1.0.0",
      licenses: [{ expression: "MIT OR Apache-2.0" }],
      hashes: [{ alg: "SHA-512", content: "07".repeat(64) }],
    });
    expect(sbom.dependencies).toContainEqual({
      ref: "pkg:npm/b@2.0.0",
      dependsOn: ["pkg:npm/%40c/c@1.0.0"],
    });
  });

  test("is refused when a license, a hash or a package is missing", () => {
    const [first, ...others] = sbom.components;
    const faultsOf = (changed: object) =>
      findSbomFaults({ ...sbom, components: [{ ...first!, ...changed }, ...others] });
    expect(faultsOf({ licenses: [] })).toEqual(["the component @c/c"]);
    expect(faultsOf({ hashes: [] })).toEqual(["the hash of @c/c"]);
    expect(findSbomFaults({ ...sbom, components: others })).not.toEqual([]);
    expect(findSbomFaults({ ...sbom, serialNumber: "1" })).toEqual(["serialNumber"]);
  });
});
