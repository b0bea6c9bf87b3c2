import type { Texts } from "@holdpoint/react/words";

/** Texts of the page "Grants". */
export const GRANTS = {
  Grants: "Erlaubnisse",
  Commands: "Befehle",
  "Approvals that let agents act without asking, and your own rules for commands. Each use is marked in its conversation.":
    "Was Agenten dürfen, ohne zu fragen, und Ihre eigenen Regeln für Befehle. Jeder Gebrauch steht in seiner Unterhaltung.",
  "Show older": "Ältere zeigen",
  "There are no grants.": "Es gibt keine Erlaubnisse.",
  "Anything you allow for longer than once, and every rule, is listed here until it ends or you revoke it.":
    "Was Sie für länger als einmal erlauben, und jede Regel steht hier, bis sie endet oder Sie sie widerrufen.",
  "Revoked. From now on this tool call needs your approval again.":
    "Widerrufen. Von jetzt an braucht dieser Werkzeugaufruf wieder Ihre Freigabe.",
  "Revoke this grant?": "Diese Erlaubnis widerrufen?",
  "From now on, {tool} needs your approval again wherever this grant applies. Calls that have run already stay as they are.":
    "Von jetzt an braucht {tool} wieder Ihre Freigabe, wo diese Erlaubnis galt. Aufrufe, die schon gelaufen sind, bleiben, wie sie sind.",
  "One call": "Ein Aufruf",
  "This session": "Diese Sitzung",
  "From now on": "Von jetzt an",
  "Rule: allow": "Regel: erlauben",
  "Rule: ask": "Regel: fragen",
  "Rule: deny": "Regel: ablehnen",
  "Given by": "Gegeben von",
  "Only in": "Nur in",
  "Given in": "Gegeben in",
  "view request": "was gezeigt wurde",
  "after {count} more call, or|after {count} more calls, or":
    "nach {count} weiteren Aufruf oder|nach {count} weiteren Aufrufen oder",
  "when its session ends": "mit ihrer Sitzung",
  "when used, or": "mit der Nutzung oder",
  "Add rule": "Regel hinzufügen",
  "Rule added": "Die Regel ist angelegt.",
  "Matching commands": "Befehle, die passen",
  "Allow without asking": "Erlauben, ohne zu fragen",
  "Always ask": "Immer fragen",
  "Deny without asking": "Ablehnen, ohne zu fragen",
  "Deny overrides ask, ask overrides allow, and all rules override other grants.":
    "Ablehnen geht vor Fragen, Fragen vor Erlauben, und alle gehen vor anderen Erlaubnissen.",
  Pattern: "Muster",
  "Words, exactly as written. * matches one plain word that is not an option. No rule covers a command with ; | > $ or other shell syntax.":
    "Wörter, jedes genau wie geschrieben. * steht für ein einfaches Wort, das keine Option ist. Keine Regel deckt einen Befehl mit ; | > $ oder anderer Shell-Syntax.",
  "Exactly this one, not its subdirectories.": "Genau dieses und keins darunter.",
  "One hour": "Eine Stunde",
  "One day": "Ein Tag",
  "30 days": "30 Tage",
  "One year": "Ein Jahr",
  "Save rule": "Regel speichern",
  "Show coverage": "Zeigen, was sie deckt",
  Coverage: "Was sie deckt",
  "It would have covered {some} of {count} command in the last 30 days.|It would have covered {some} of {count} commands in the last 30 days.":
    "Sie hätte {some} von {count} Befehl der letzten 30 Tage gedeckt.|Sie hätte {some} von {count} Befehlen der letzten 30 Tage gedeckt.",
  "Not all of them were checked.": "Nicht alle wurden angesehen.",
  Covered: "Gedeckt",
  "Not covered": "Nicht gedeckt",
  ", {n} times": ", {n}-mal",
} satisfies Texts;
