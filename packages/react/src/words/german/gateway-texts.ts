import type { Texts } from "../text.ts";

/** Texts from the gateway, found by `say.translate`. `{n}` is a number. */
export const GATEWAY_TEXTS = {
  "The gateway does not have it.": "Das Gateway hat sie nicht bekommen.",
  "This was not asked.": "Danach wurde nicht gefragt.",
  "Answer Yes or No.": "Antworten Sie mit Ja oder Nein.",
  "Choose one of the options.": "Wählen Sie eine der Möglichkeiten.",
  "Choose from the options.": "Wählen Sie aus den Möglichkeiten.",
  "An option was chosen twice.": "Eine Möglichkeit wurde zweimal gewählt.",
  "Choose at least one.": "Wählen Sie mindestens eine.",
  "Choose at least {n}.": "Wählen Sie mindestens {n}.",
  "Choose at most {n}.": "Wählen Sie höchstens {n}.",
  "Required.": "Erforderlich.",
  "Enter a number.": "Geben Sie eine Zahl ein.",
  "Enter a whole number.": "Geben Sie eine ganze Zahl ein.",
  "This number is too large to be exact.": "Diese Zahl ist zu groß, um genau zu sein.",
  "Enter {n} or more.": "Geben Sie {n} oder mehr ein.",
  "Enter {n} or less.": "Geben Sie {n} oder weniger ein.",
  "Write it without separators, such as 1000 or 1.5.":
    "Schreiben Sie es ohne Trennzeichen, etwa 1000 oder 1.5.",
  "Enter text.": "Geben Sie Text ein.",
  "Enter at least {n} character.": "Geben Sie mindestens {n} Zeichen ein.",
  "Enter at least {n} characters.": "Geben Sie mindestens {n} Zeichen ein.",
  "Enter at most {n} character.": "Geben Sie höchstens {n} Zeichen ein.",
  "Enter at most {n} characters.": "Geben Sie höchstens {n} Zeichen ein.",
  "Enter an e-mail address.": "Geben Sie eine E-Mail-Adresse ein.",
  "Enter a whole address, with https://.": "Geben Sie eine ganze Adresse ein, mit https://.",
  "Enter a date.": "Geben Sie ein Datum ein.",
  "Enter a date and a time.": "Geben Sie Datum und Uhrzeit ein.",
  "The demo agent asks before it changes a file.":
    "Der Demo-Agent fragt, bevor er eine Datei ändert.",
  "This names a folder that contains the data folder of the gateway, and may read or change it.":
    "Das nennt einen Ordner, in dem der Datenordner des Gateways liegt, und kann ihn lesen oder ändern.",
  "This may change what the gateway itself loads and runs: its config or its tools.":
    "Das kann ändern, was das Gateway selbst lädt und ausführt: seine Konfiguration oder seine Werkzeuge.",
  "This may change what Claude itself loads, also in other sessions: its settings, skills, agents or memory.":
    "Das kann ändern, was Claude selbst lädt, auch in anderen Sitzungen: seine Einstellungen, Skills, Agenten oder sein Gedächtnis.",
  "This names too many paths to check whether it reaches the data folder of the gateway.":
    "Das nennt zu viele Pfade, um zu prüfen, ob es den Datenordner des Gateways erreicht.",
  "Answered in the terminal.": "Im Terminal beantwortet.",
  "No one answered here in time, so the terminal asks.":
    "Niemand hat hier rechtzeitig geantwortet: Das Terminal fragt.",
  "Answered or closed in the terminal.": "Im Terminal beantwortet oder geschlossen.",
  "The session in the terminal has ended.": "Die Sitzung im Terminal ist beendet.",
  "A file of this message is no longer stored. Attach it again.":
    "Eine Datei dieser Nachricht wird nicht mehr aufbewahrt. Hängen Sie sie noch einmal an.",
  "This agent does not accept images or files.": "Dieser Agent nimmt keine Bilder und Dateien an.",
  "The demo agent failed because it was asked to.":
    "Der Demo-Agent ist gescheitert, weil er darum gebeten wurde.",
  "No one has allowed everything in this session, or that permission has expired.":
    "Niemand hat in dieser Sitzung alles erlaubt, oder die Zeit dafür ist vorbei.",
  "This mode asks before files are changed or the network is used.":
    "Dieser Modus fragt, bevor Dateien geändert werden oder das Netz benutzt wird.",
  "The check of this call failed, or took too much time or memory. Read all of it before you allow it.":
    "Die Prüfung dieses Aufrufs ist gescheitert oder brauchte zu viel Zeit oder Speicher. Lesen Sie ihn ganz, bevor Sie ihn erlauben.",
  "The gateway ended while it checked this call, so it does not check it again. Read all of it before you allow it.":
    "Das Gateway endete, während es diesen Aufruf prüfte, und prüft ihn nicht noch einmal. Lesen Sie ihn ganz, bevor Sie ihn erlauben.",
  "This follows links, and one in its folder leads to a folder that contains the data folder of the gateway.":
    "Das folgt Links, und einer in seinem Ordner führt zu einem Ordner, der den Datenordner des Gateways enthält.",
  "This follows links, and there are too many files to check whether one leads to the data folder of the gateway.":
    "Das folgt Links, und es sind zu viele Dateien, um zu prüfen, ob einer zum Datenordner des Gateways führt.",
  "This follows links, and one in its folder leads into the data folder of the gateway. Leave out the option that follows links, or work in a folder without that link.":
    "Das folgt Links, und einer in seinem Ordner führt in den Datenordner des Gateways. Lassen Sie die Option weg, die Links folgt, oder arbeiten Sie in einem Ordner ohne diesen Link.",
  "No turn is running in this session, so no one would see the request.":
    "In dieser Sitzung läuft kein Zug, also sähe es niemand.",
  "The automatic mode refused this call.": "Der automatische Modus hat diesen Aufruf abgelehnt.",
  "its index, which cannot be read": "ihr Index, der nicht lesbar ist",
  "more submodules than can be looked at": "mehr Submodule, als angesehen werden können",
  "submodules that lie too deep": "Submodule, die zu tief liegen",
  "a setting of several lines": "eine Einstellung über mehrere Zeilen",
  "the command is too long": "der Befehl ist zu lang",
  "the command names too many folders": "der Befehl nennt zu viele Ordner",
  "Everyone who could answer has left.": "Alle, die antworten konnten, sind gegangen.",
  "No client that could answer is connected.": "Kein Client ist verbunden, der antworten könnte.",
  "The person denied it and ended the turn.": "Es wurde abgelehnt und der Durchlauf beendet.",
  "The turn was stopped.": "Der Durchlauf wurde gestoppt.",
  "The turn has ended.": "Der Durchlauf ist zu Ende.",
  "The session was deleted.": "Die Sitzung wurde gelöscht.",
  "The log cannot be written.": "Das Protokoll kann nicht geschrieben werden.",
  "The agent did not leave a permission mode that has ended.":
    "Der Agent hat einen Berechtigungsmodus nicht verlassen, der nicht mehr gilt.",
  "The agent that asked is gone.": "Der Agent, der gefragt hat, ist fort.",
  "The gateway was restarted; the agent that asked is gone.":
    "Das Gateway wurde neu gestartet; der Agent, der gefragt hat, ist fort.",
  "The agent no longer needs it.": "Der Agent braucht es nicht mehr.",
  "The agent no longer waits for it.": "Der Agent wartet nicht mehr darauf.",
  "The agent gave up on the call.": "Der Agent hat den Aufruf aufgegeben.",
  "The agent that called is gone.": "Der Agent, der aufgerufen hat, ist fort.",
  "The call was cancelled.": "Der Aufruf wurde abgebrochen.",
  "The call was abandoned.": "Der Aufruf wurde aufgegeben.",
  "The call has ended.": "Der Aufruf ist zu Ende.",
  "The gateway is stopping.": "Das Gateway hält an.",
  "The program took it back.": "Das Programm hat es zurückgenommen.",
  "Its token was revoked.": "Sein Token wurde widerrufen.",
  "Claude has lost its record of this conversation and starts a new one.":
    "Claude hat die Aufzeichnung dieser Unterhaltung verloren und fängt neu an.",
  "Claude could not continue at this tool call: its record of the call is gone or has changed.":
    "Claude konnte bei diesem Aufruf nicht weitermachen: Die Aufzeichnung davon ist fort oder geändert.",
  "Claude ended the turn with an error.": "Claude hat den Durchlauf mit einem Fehler beendet.",
  "The agent of this session is gone.": "Der Agent dieser Sitzung ist fort.",
  "The agent ran under a host of another version of Holdpoint.":
    "Der Agent lief unter dem Host einer anderen Version von Holdpoint.",
  "The host of the agent did not answer, so both were ended.":
    "Der Host des Agenten hat nicht geantwortet, darum wurden beide beendet.",
  "Another gateway has taken over the agent.": "Ein anderes Gateway hat den Agenten übernommen.",
  "The prompt in the terminal had ended before this answer reached it.":
    "Die Frage im Terminal war zu Ende, bevor sie diese Antwort bekommen konnte.",
  "This agent cannot be taken over.": "Dieser Agent kann nicht übernommen werden.",
  "This agent cannot be started again at a tool call.":
    "Dieser Agent kann nicht bei einem Aufruf wieder gestartet werden.",
  "The agent did not repeat the request it was waiting for, so it was ended.":
    "Der Agent hat nicht noch einmal gefragt, worauf er wartete, darum wurde er beendet.",
  "The gateway could not write the log of this turn.":
    "Das Gateway konnte das Protokoll dieses Durchlaufs nicht schreiben.",
  "The gateway was restarted while the agent worked.":
    "Das Gateway wurde neu gestartet, während der Agent arbeitete.",
  "The tool failed while it handled this response.":
    "Das Werkzeug ist gescheitert, als es diese Antwort verarbeitete.",
  "The tool was stopped while it handled this response.":
    "Das Werkzeug wurde gestoppt, als es diese Antwort verarbeitete.",
  "The gateway ended while the tool worked. It is unknown whether the tool finished its work.":
    "Das Gateway wurde beendet, während das Werkzeug arbeitete. Ob es seine Arbeit getan hat, ist nicht bekannt.",
  "The tool asked too often.": "Das Werkzeug hat zu oft gefragt.",
  "The response does not fit what was asked.": "Die Antwort passt nicht zu dem, was gefragt wurde.",
  "This request can only be approved or denied.": "Hier wird um Erlauben oder Ablehnen gebeten.",
  "There is nothing to approve.": "Hier gibt es nichts zu erlauben.",
  "The digest of the approved input is missing.":
    "Sagen Sie, was Sie erlauben: Die Prüfsumme fehlt.",
  "This scope was not offered.": "Dieser Umfang wurde nicht angeboten.",
  "Several requests of this tool call id are pending. Answer one of them by its interaction id.":
    "Zu dieser Kennung eines Aufrufs sind mehrere Anfragen offen. Beantworten Sie eine davon über ihre eigene Kennung.",
  "This input cannot be edited.": "Diese Eingabe kann nicht geändert werden.",
  "Claude would ignore the field _simulatedSedEdit. Remove it, or deny the request.":
    "Claude würde das Feld _simulatedSedEdit übergehen. Entfernen Sie es, oder lehnen Sie die Anfrage ab.",
  "Claude would run the original: it takes an empty input as unchanged. Keep at least one field, or deny the request.":
    "Claude würde das Original ausführen: Eine leere Eingabe gilt dort als unverändert. Lassen Sie mindestens ein Feld stehen, oder lehnen Sie die Anfrage ab.",
  "This approval cannot be limited.": "Diese Erlaubnis kann nicht begrenzt werden.",
  "This request can only be answered or cancelled.":
    "Hier wird um Antworten oder einen Abbruch gebeten.",
  "Write something.": "Schreiben Sie etwas.",
  "This was answered twice.": "Das wurde zweimal beantwortet.",
  "This option was not offered.": "Diese Möglichkeit wurde nicht angeboten.",
  "Choose an option or write an answer.":
    "Wählen Sie eine Möglichkeit, oder schreiben Sie eine Antwort.",
  "Choose one.": "Wählen Sie eine.",
  "This request takes a form or a cancellation.":
    "Hier wird um ein Formular oder einen Abbruch gebeten.",
  "There is nothing to fill in.": "Hier gibt es nichts auszufüllen.",
  "Wrong format.": "Falsche Form.",
  "Only PNG, JPEG, GIF and WebP images, PDF files and text in UTF-8 can be sent.":
    "Nur Bilder in PNG, JPEG, GIF und WebP, PDF-Dateien und Text in UTF-8 können gesendet werden.",
  "This file is empty.": "Diese Datei ist leer.",
  "A message needs some text or a file.": "Eine Nachricht braucht Text oder eine Datei.",
  "An image may have at most {n} pixels on each side, and 50 million in all.":
    "Ein Bild darf höchstens {n} Pixel auf jeder Seite haben und 50 Millionen insgesamt.",
  "The gateway could not ask anyone.": "Das Gateway konnte niemanden fragen.",
  "This would reach the data folder of the gateway. No agent may read or change it, and no approval can allow it. Work in another folder.":
    "Das würde den Datenordner des Gateways erreichen. Kein Agent liest oder ändert ihn; danach kann auch nicht gefragt werden. Arbeiten Sie in einem anderen Ordner.",
  "This would also search the data folder of the gateway. Search in a folder next to it.":
    "Das würde auch den Datenordner des Gateways durchsuchen. Suchen Sie in einem Ordner daneben.",
  "The person may still answer later. You will then get the answer in a message.":
    "Die Antwort kann noch kommen und wird dann als Nachricht mitgeteilt.",
  "This request is closed.": "Diese Anfrage ist geschlossen.",
  "Look around this folder and tell me what it is about.":
    "Sieh dich in diesem Ordner um und sag mir, worum es geht.",
  "Ask me what I want to build, then propose a plan.":
    "Frag mich, was ich bauen will, und schlag dann einen Plan vor.",
  "Find something small to improve here and show me the change before you make it.":
    "Finde hier eine kleine Verbesserung und zeig mir die Änderung, bevor du sie machst.",
  "Another response came first.": "Eine andere Antwort war schneller.",
  "The time to answer is over.": "Die Zeit zum Antworten ist vorbei.",
  "This has been withdrawn.": "Das wurde zurückgezogen.",
  "The request shown is not the one that would run. Reload it.":
    "Was gezeigt wurde, ist nicht, was laufen würde. Laden Sie es neu.",
  "Claude did not report its options.": "Claude hat nicht gesagt, was es anbietet.",
  "The request is too large to be shown.": "Die Anfrage ist zu groß, um gezeigt zu werden.",
  "Too many interactions are pending.": "Zu viele Anfragen sind offen.",
  "The session is gone.": "Die Sitzung ist fort.",
  "The model's service has refused Claude's key or login.":
    "Der Dienst des Modells hat Schlüssel oder Anmeldung von Claude abgelehnt.",
  "No one answered in time.": "Niemand hat rechtzeitig geantwortet.",
  "Something went wrong inside the gateway.": "Im Gateway ist etwas schiefgegangen.",
  "The gateway failed.": "Das Gateway hat versagt.",
  "This token can only read.": "Mit diesem Token kann man nur lesen.",
  "Only a signed-in device can do this, not a program.":
    "Das kann nur ein angemeldetes Gerät und kein Programm.",
  "The demo agent was shut down.": "Der Demo-Agent wurde beendet.",
  "The demo agent failed.": "Der Demo-Agent ist gescheitert.",
} satisfies Texts;

/** Texts from the gateway that contain values. `{given}` is such a text itself. */
export const FRAMES = {
  "This runs git, and the repository can make git run another program: {given}.":
    "Das führt Git aus, und das Repository kann es ein eigenes Programm ausführen lassen: {given}.",
  "{given} Ask for it in your own words, and you can allow it.":
    "{given} Bitten Sie in eigenen Worten darum, dann können Sie es erlauben.",
  "its setting {name}": "seine Einstellung {name}",
  "its hook {name}": "sein Hook {name}",
  "its file {name}, which cannot be read": "seine Datei {name}, die nicht lesbar ist",
  "{given} The rule {rule} ({source}) requires asking about this.":
    "{given} Die Regel {rule} ({source}) will, dass danach gefragt wird.",
  "The rule {rule} ({source}) requires asking about this.":
    "Die Regel {rule} ({source}) will, dass danach gefragt wird.",
  "Not allowed with the action {action}.": "Gehört nicht zu {action}.",
  "Dismissed by {name}.": "Verworfen von {name}.",
  "{name} says that this is done.": "{name} sagt, dass das erledigt ist.",
  "The model's service has refused Claude's key or login (status {status}).":
    "Der Dienst des Modells hat Schlüssel oder Anmeldung von Claude abgelehnt (Status {status}).",
  "There is no directory {path}.": "Den Ordner {path} gibt es nicht.",
  "There is no file {path}.": "Die Datei {path} gibt es nicht.",
  "{name}: It asked while none of its tools was running.":
    "{name}: Er hat gefragt, während kein Aufruf seiner Werkzeuge lief.",
  "{name}: It asked while the agent had no turn, so no one could be asked. The gateway replied that no one has decided.":
    "{name}: Er hat gefragt, als der Agent keinen Durchlauf hatte, also konnte niemand gefragt werden. Ihm wurde gesagt, dass niemand entschieden hat.",
  "{name}: It asked {times} times while the agent had no turn, so no one could be asked. The gateway replied that no one has decided.":
    "{name}: Er hat {times}-mal gefragt, als der Agent keinen Durchlauf hatte, also konnte niemand gefragt werden. Ihm wurde gesagt, dass niemand entschieden hat.",
  "{name}: This kind of request is unknown.": "{name}: Diese Art von Anfrage ist nicht bekannt.",
  "{name}: The request is too large to be shown.":
    "{name}: Die Anfrage ist zu groß, um gezeigt zu werden.",
  "{name}: It asked for a secret in a form, which MCP forbids. It must ask on its own web page instead.":
    "{name}: Er hat in einem Formular nach einem Geheimnis gefragt, was MCP verbietet. Er muss eine eigene Seite nehmen.",
  "The files that this reaches could not be checked: {cause}":
    "Es konnte nicht geprüft werden, welche Dateien das erreicht: {cause}",
  "The user dismissed the request to use {tool} without approving it.":
    "Die Anfrage, {tool} zu benutzen, wurde verworfen und nicht erlaubt.",
  "The user denied this use of {tool} without giving a reason. Do not try it again in another way.":
    "Diese Benutzung von {tool} wurde ohne Grund abgelehnt. Sie soll nicht auf anderem Weg versucht werden.",
  "The user denied this use of {tool}: {given}":
    "Diese Benutzung von {tool} wurde abgelehnt: {given}",
  "{tool} was not run, because no one could be asked: {given}":
    "{tool} wurde nicht ausgeführt, weil niemand gefragt werden konnte: {given}",
  "{tool} was not run: its turn has ended, so no person can be asked.":
    "{tool} wurde nicht ausgeführt: Sein Durchlauf ist zu Ende, also kann niemand gefragt werden.",
  "{tool} was not run: the turn was stopped, or its log cannot be written.":
    "{tool} wurde nicht ausgeführt: Der Durchlauf wurde gestoppt, oder sein Protokoll kann nicht geschrieben werden.",
  "{tool} was not run: {path} has changed since the edit was shown. Read the file again, then repeat the edit.":
    "{tool} wurde nicht ausgeführt: {path} hat sich geändert, seit die Änderung angezeigt wurde. Lies die Datei noch einmal und wiederhole die Änderung.",
  "{tool} was not run: its stored input is missing.":
    "{tool} wurde nicht ausgeführt: Die gespeicherte Eingabe fehlt.",
  "No answer yet: no one has answered the request to use {tool} so far, and it was not run. {given} Do not assume consent and do not ask the same again now. Continue with other work that does not depend on it, or end your turn.":
    "Noch keine Antwort: Auf die Anfrage, {tool} zu benutzen, hat bisher niemand geantwortet, und es wurde nicht ausgeführt. {given} Eine Zustimmung darf nicht angenommen und dasselbe jetzt nicht noch einmal gefragt werden. Andere Arbeit, die nicht davon abhängt, kann weitergehen.",
  'Claude has no permission mode "{mode}" here.':
    "Claude hat hier keinen Berechtigungsmodus „{mode}“.",
  "This gateway has no agent {name}.": "Dieses Gateway hat keinen Agenten {name}.",
  "A rule denies this: Deny, in {cwd}: {pattern}":
    "Eine Regel lehnt das ab: Ablehnen, in {cwd}: {pattern}",
  "This needs the role {least}, and you are {role}.":
    "Dafür ist die Rolle {least} nötig, und Ihre ist {role}.",
  "The questions were not shown to anyone: {problem}. Correct the call and ask again.":
    "Die Fragen wurden niemandem gezeigt: {problem}. Der Aufruf soll berichtigt und noch einmal gestellt werden.",
  "The agent refused the change: {given}": "Der Agent hat die Änderung abgelehnt: {given}",
  "{name}: This form cannot be shown: {problem}":
    "{name}: Nach diesem Formular kann nicht gefragt werden: {problem}",
  "{name}: Its address is too long to be read.":
    "{name}: Die Adresse der Seite ist zu lang zum Lesen.",
  "{name}: This is not the address of a page.": "{name}: Das ist keine Adresse einer Seite.",
  "{name}: Its address does not begin with https://.":
    "{name}: Die Adresse der Seite beginnt nicht mit https://.",
  "{name}: Its address has a name before the host, which hides where it leads.":
    "{name}: In der Adresse der Seite steht ein Name vor dem Host, der verbirgt, wohin sie führt.",
} satisfies Texts;
