import type { Texts } from "../text.ts";

/** Texts about an agent's runtime. */
export const RUNTIME = {
  "The model does not answer; trying again…": "Das Modell antwortet nicht; neuer Versuch …",
  "{amount} tokens": "{amount} Token",
  "Read {read}, of it {cached} from the cache; wrote {written}.":
    "Gelesen {read}, davon {cached} aus dem Cache; geschrieben {written}.",
  "The cost is the agent’s own estimate, and no bill.":
    "Die Kosten schätzt der Agent selbst; das ist keine Rechnung.",
  "Commands of the agent": "Befehle des Agenten",
  Files: "Dateien",
  "{count} suggestion|{count} suggestions": "{count} Vorschlag|{count} Vorschläge",
} satisfies Texts;
