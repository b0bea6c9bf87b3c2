import type { Texts } from "../text.ts";

/** Texts about agents that cannot continue, and about the end of a turn. */
export const AGENT_TROUBLE = {
  "The agent is not signed in": "Der Agent ist nicht angemeldet",
  "Log in with Claude Code on the machine that runs the gateway, or start the gateway with a valid API key. Then send your message again.":
    "Melden Sie sich dort, wo das Gateway läuft, mit Claude Code an, oder starten Sie das Gateway mit einem gültigen API-Schlüssel. Senden Sie dann Ihre Nachricht noch einmal.",
  "The agent's program is missing": "Das Programm des Agenten ist nicht da",
  "Reinstall it, or correct its path on the machine that runs the gateway. Then send your message again.":
    "Installieren Sie es neu, oder geben Sie dort, wo das Gateway läuft, den richtigen Pfad an. Senden Sie dann Ihre Nachricht noch einmal.",
  "The working directory no longer exists": "Das Arbeitsverzeichnis ist nicht mehr da",
  "Restore it and send your message again, or start a session in another directory.":
    "Legen Sie es wieder an und senden Sie Ihre Nachricht noch einmal, oder beginnen Sie eine Sitzung in einem anderen Verzeichnis.",
  "The conversation is too long for the model": "Die Unterhaltung ist zu lang für das Modell",
  "Send /compact to shorten it, or start a new session with the important points from this one.":
    "Senden Sie /compact, um sie zu kürzen, oder beginnen Sie eine neue Sitzung und sagen Sie, was aus dieser wichtig ist.",
  "The account has no credit": "Das Konto hat kein Guthaben",
  "Add credit with the model's provider, then send your message again.":
    "Laden Sie beim Anbieter des Modells Guthaben auf und senden Sie dann Ihre Nachricht noch einmal.",
  "The model is overloaded": "Das Modell ist überlastet",
  "Nothing is wrong here. Wait a minute and send your message again.":
    "Hier ist nichts verkehrt. Warten Sie eine Minute, und senden Sie Ihre Nachricht noch einmal.",
  "The model's usage limit is reached": "Das Kontingent des Modells ist erschöpft",
  "Wait until the limit resets, then send your message again.":
    "Warten Sie, bis es wieder frei ist, und senden Sie Ihre Nachricht dann noch einmal.",
  "The model's service cannot be reached": "Der Dienst des Modells ist nicht zu erreichen",
  "Check the network of the machine that runs the gateway, then send your message again.":
    "Prüfen Sie das Netz des Rechners, auf dem das Gateway läuft, und senden Sie Ihre Nachricht dann noch einmal.",
  "The agent's process ended unexpectedly": "Der Prozess des Agenten endete unerwartet",
  "The conversation is kept. To restart the agent, answer a pending request or send a message.":
    "Die Unterhaltung bleibt erhalten. Beantworten Sie, was noch offen ist, oder senden Sie eine Nachricht; das startet den Agenten wieder.",
  "The agent belonged to another version of Holdpoint":
    "Der Agent gehörte zu einer anderen Version von Holdpoint",
  "The update ended it, and the conversation is kept. To restart the agent, answer a pending request or send a message.":
    "Er wurde mit der Aktualisierung beendet, und die Unterhaltung bleibt erhalten. Beantworten Sie, was noch offen ist, oder senden Sie eine Nachricht; das startet den Agenten wieder.",
  "The agent cannot go on where it was": "Der Agent kann dort nicht weitermachen, wo er war",
  "Its own record of this conversation is missing or was changed, so it starts from the beginning. It still receives your messages, and each answer is sent as a message that quotes the question.":
    "Seine eigene Aufzeichnung dieser Unterhaltung fehlt oder wurde geändert, also beginnt er neu. Was Sie senden, erreicht ihn, und eine Antwort geht als Nachricht, die die Frage zitiert.",
  "An MCP server asked for something that cannot be shown":
    "Ein MCP-Server hat etwas verlangt, das sich nicht zeigen lässt",
  "The request was declined, and the agent continues. Contact the server's author.":
    "Ihm wurde Nein gesagt, und der Agent macht weiter. Fragen Sie die, die diesen Server machen.",
  "The gateway was restarted while the agent worked":
    "Das Gateway wurde neu gestartet, während der Agent arbeitete",
  "The conversation is kept. To continue, answer a pending request or send a message.":
    "Die Unterhaltung bleibt erhalten. Beantworten Sie, was noch offen ist, oder senden Sie eine Nachricht, um weiterzumachen.",
  "The agent reported an error": "Der Agent hat einen Fehler gemeldet",
  "The conversation is kept. Send a message to try again.":
    "Die Unterhaltung bleibt erhalten. Senden Sie eine Nachricht, um es noch einmal zu versuchen.",
  "The time limit for running everything without asking has expired. The agent asks again.":
    "Die Zeit, in der alles ohne zu fragen ausgeführt wird, ist um. Der Agent fragt wieder.",
  "Stopped. Send a message to continue.": "Gestoppt. Senden Sie eine Nachricht, um weiterzumachen.",
  "The turn ended with an error. Send a message to try again.":
    "Der Durchlauf endete mit einem Fehler. Senden Sie eine Nachricht, um es noch einmal zu versuchen.",
  "Parked here until the answer arrives.": "Hier geparkt bis zur Antwort.",
} satisfies Texts;
