import type { Texts } from "@holdpoint/react/words";

/** Texts from the agents of this gateway, which the page only translates. */
export const AGENTS = {
  "Demo agent (scripted, no model)": "Demo-Agent (nach Skript, ohne Modell)",
  Program: "Programm",
  "Claude Code (terminal)": "Claude Code (Terminal)",
  "Codex (terminal)": "Codex (Terminal)",
  "Asks before it changes files, runs commands or uses the network.":
    "Fragt, bevor er Dateien ändert, Befehle ausführt oder das Netz benutzt.",
  "Changes files in its folder without asking; asks for the rest.":
    "Ändert Dateien in seinem Ordner, ohne zu fragen; fragt bei allem anderen.",
  "Only reads until you have approved its plan.":
    "Liest nur, bis Sie seinen Plan freigegeben haben.",
  "A model of the service judges each action. Actions that it cannot judge are asked about or refused.":
    "Ein Modell des Dienstes beurteilt jede Aktion; was es nicht beurteilen kann, wird gefragt oder abgelehnt.",
  "Refuses anything your rules do not allow, without asking. Questions are still asked.":
    "Lehnt ohne zu fragen ab, was Ihre Regeln nicht erlauben. Fragen kommen weiterhin.",
  "Runs everything without asking. Questions are still asked. For throwaway machines only.":
    "Führt alles aus, ohne zu fragen. Fragen kommen weiterhin. Nur für Wegwerf-Rechner.",
  "Every edit waits for you.": "Jede Änderung wartet auf Sie.",
  "Edits in the demo's own folder run without asking. Questions are still asked.":
    "Änderungen im eigenen Ordner der Demo laufen, ohne zu fragen. Fragen kommen weiterhin.",
  "Set by the agent": "Sein eigener",
} satisfies Texts;
