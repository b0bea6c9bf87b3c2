#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

/* Runs on any version of Node, so that an old one prints a message instead of a syntax error. */
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
    // Caches compiled code for the next start. Cached code is executed, so the cache is inside the package: a program
    // that can write there can change the bundle as well. If the folder is not writable, nothing is cached.
    nodeModule.enableCompileCache(
      fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
    );
    void import(bundle.href).then(function (cli) {
      return cli.runProgram(process.argv.slice(2));
    });
  }
  // In a checkout, runs the sources.
  else void import(new URL("../../../scripts/start.ts", import.meta.url).href);
}
