#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

/* Runs on any Node, so that an old one gets a sentence instead of a syntax error. */
var required = [24, 15];
var running = process.versions.node.split(".").map(Number);
if (running[0] < required[0] || (running[0] === required[0] && running[1] < required[1])) {
  process.stderr.write(
    "holdpoint: needs Node " +
      required.join(".") +
      " or newer; this is " +
      process.versions.node +
      ". See https://nodejs.org.\n",
  );
  process.exit(2);
} else {
  var bundle = new URL("../dist/run-program.mjs", import.meta.url);
  if (existsSync(bundle)) {
    // The next start need not compile again. What is in the folder runs, so it is inside of the package: a program that
    // can write there can change the bundle as well. Where it cannot be written, nothing is kept.
    nodeModule.enableCompileCache(
      fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
    );
    void import(bundle.href).then(function (cli) {
      return cli.runProgram(process.argv.slice(2));
    });
  }
  // A checkout, where the sources run.
  else void import(new URL("../../../scripts/start.ts", import.meta.url).href);
}
