// Holds the database's write lock for a while, as another program might, and prints when it has it.
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

const [path = "", holdMs = "0"] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 5000 });
database.exec("BEGIN IMMEDIATE");
writeSync(1, "held\n");
await setTimeout(Number(holdMs));
database.exec("ROLLBACK");
database.close();
writeSync(1, "released\n");
