/** A text whose words were chosen after someone new to the page had read it. */
export interface SettledWords {
  readonly words: string;
  readonly german: string;
  /** The earlier or a careless wording. No text of the catalogue matches it. */
  readonly instead: RegExp;
}

/** Where the words differ from the proposal, `decisions/2026-11-25-words.md` gives the reason. */
export const SETTLED_WORDS: readonly SettledWords[] = [
  { words: "Run {object}?", german: "{object} ausführen?", instead: /\bRun a command\b/u },
  { words: "Edit {object}?", german: "{object} ändern?", instead: /\bEdit a file\?/u },
  {
    words: "Approve this plan?",
    german: "Diesen Plan freigeben?",
    instead: /ExitPlanMode|\bfollow the plan\b/u,
  },
  { words: "Approve plan", german: "Plan freigeben", instead: /\bAllow (?:the )?plan\b/u },
  { words: "Ask for changes", german: "Änderungen verlangen", instead: /\bReject\b/u },
  {
    words: "The agent stopped waiting and moved on. Your answer will reach it as a message.",
    german:
      "Der Agent wartet nicht mehr und hat weitergemacht. Ihre Antwort erreicht ihn als Nachricht.",
    instead: /\bA late one still reaches\b/u,
  },
  {
    words: "Tell the agent to go ahead",
    german: "Dem Agenten grünes Licht melden",
    instead: /\bAllow late\b/u,
  },
  {
    words: "No agent waits for these; answers are sent as messages",
    german: "Darauf wartet kein Agent mehr; Antworten gehen als Nachricht",
    instead: /\b[Mm]issed\b|\bstill answerable\b/u,
  },
  { words: "Withdrawn", german: "Zurückgezogen", instead: /\bNo longer asked\b/u },
  { words: "Sent:", german: "Gesendet:", instead: /^Sent$|^Sent \{/u },
  { words: "no deadline", german: "keine Frist", instead: /\bno hurry\b/u },
  { words: "Grants", german: "Erlaubnisse", instead: /^Permissions$/u },
  {
    words: "There are no grants.",
    german: "Es gibt keine Erlaubnisse.",
    instead: /\bNothing is allowed for longer\b/u,
  },
  {
    words:
      "Approvals that let agents act without asking, and your own rules for commands. Each use is marked in its conversation.",
    german:
      "Was Agenten dürfen, ohne zu fragen, und Ihre eigenen Regeln für Befehle. Jeder Gebrauch steht in seiner Unterhaltung.",
    instead: /\bWhat was allowed for longer\b|\bA (?:tool )?call that a grant covers\b/u,
  },
  {
    words: "Agents work. When they need you, they stop and ask here.",
    german: "Agenten arbeiten. Für Entscheidungen halten sie an und fragen hier.",
    instead: /\bWhere it needs you\b/u,
  },
  {
    words: "The agent works in {folder}. Tell it what to do.",
    german: "Arbeitet in {folder}. Sagen Sie, was zu tun ist.",
    instead: /\bgateway(?:['’]s)? own choice\b/u,
  },
  {
    words: "Answering is off on this device",
    german: "Antworten ist auf diesem Gerät aus",
    instead: /\binteraction on\b/iu,
  },
  {
    words: "Fix {count} field|Fix {count} fields",
    german: "{count} Feld berichtigen|{count} Felder berichtigen",
    instead: /\bfields? (?:need you|to correct)\b/u,
  },
  { words: "Required.", german: "Erforderlich.", instead: /\bFill this in\b/u },
  {
    words: "Wrong format.",
    german: "Falsche Form.",
    instead: /\bdoes not have the\b.*\b(?:form|format)\b/u,
  },
  {
    words: "Answer the question, or skip it?",
    german: "Die Frage beantworten oder überspringen?",
    instead: /\bThe answer to the question\b/u,
  },
  { words: "Skip and send", german: "Überspringen und senden", instead: /\bDismiss and\b/u },
  {
    words: "Offline: this may be out of date",
    german: "Offline: Das hier kann veraltet sein",
    instead: /\bmay be old\b/u,
  },
  {
    words: "This session doesn't exist",
    german: "Diese Sitzung gibt es nicht",
    instead: /\bsession is not there\b/iu,
  },
  {
    words: "This agent runs elsewhere: answer requests here, send messages there.",
    german: "Läuft anderswo: Antworten Sie hier, und schreiben Sie ihm dort.",
    instead: /\btakes no messages\b/u,
  },
  { words: "Expand", german: "Vergrößern", instead: /\blarger field\b/u },
  { words: "Keyboard shortcuts", german: "Tastenkürzel", instead: /^Keys\b(?! act)/u },
  {
    words: "There is no password: anyone who opens the link can answer for you. Don't share it.",
    german:
      "Es gibt kein Passwort: Wer den Link öffnet, kann für Sie antworten. Geben Sie ihn nicht weiter.",
    instead: /\bwith nobody\b|\bDo not share\b/u,
  },
];
