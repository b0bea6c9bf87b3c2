import type { Texts } from "@holdpoint/react/words";

/** Texts of the page "Devices and programs". */
export const DEVICES = {
  "Devices and programs": "Geräte und Programme",
  Browser: "Browser",
  "{browser} on {system}": "{browser} auf {system}",
  Language: "Sprache",
  "Of this page and its notifications, on this device. What agents and tools write stays as it is.":
    "Dieser Seite und ihrer Benachrichtigungen, auf diesem Gerät. Was Agenten und Werkzeuge schreiben, bleibt, wie es ist.",
  "Signed out.": "Abgemeldet.",
  "Revoked.": "Widerrufen.",
  Devices: "Geräte",
  "Browsers that are signed in as you. Each of them can answer for you.":
    "Browser, die als Sie angemeldet sind. Jeder davon kann für Sie antworten.",
  "Add a device": "Gerät hinzufügen",
  Programs: "Programme",
  "Scripts and pages of yours that use the gateway with a token.":
    "Ihre Skripte und Seiten, die das Gateway mit einem Token benutzen.",
  "No program has a token.": "Kein Programm hat ein Token.",
  "Add a program": "Programm hinzufügen",
  Agents: "Agenten",
  "Agents that you start yourself. Their tokens can ask you, and never answer.":
    "Agenten, die Sie selbst starten. Ihre Tokens können Sie fragen und nie antworten.",
  "No agent has a token.": "Kein Agent hat ein Token.",
  "Add an agent": "Agenten hinzufügen",
  "Name of the device": "Name des Geräts",
  "This device": "Dieses Gerät",
  "Signed in": "Angemeldet",
  "Last seen": "Zuletzt gesehen",
  "Sign out": "Abmelden",
  "Sign out {name}": "{name} abmelden",
  "Signing out…": "Wird abgemeldet …",
  Made: "Angelegt",
  "May answer (respond)": "Darf antworten (respond)",
  "Only reads (read)": "Liest nur (read)",
  "Revoke agent “{name}”": "Agent „{name}“ widerrufen",
  "Agent “{name}”": "Agent „{name}“",
  "Sign out this device?": "Dieses Gerät abmelden?",
  "Sign out this other device?": "Dieses andere Gerät abmelden?",
  "{device} is the device that you are using. To come back it needs a new launch link or a new code. What you have typed here and not sent stays in this browser.":
    "{device} ist das Gerät, das Sie gerade benutzen. Um wiederzukommen, braucht es einen neuen Startlink oder einen neuen Code. Was Sie hier geschrieben und nicht gesendet haben, bleibt in diesem Browser.",
  "{device} loses its connection at once and can neither see nor answer anything. Its answers so far stay as they are.":
    "{device} verliert sofort die Verbindung und kann nichts mehr sehen oder beantworten. Seine bisherigen Antworten bleiben, wie sie sind.",
  "Revoke this program’s token?": "Das Token dieses Programms widerrufen?",
  "{program} loses its connection at once and can do nothing any more.":
    "{program} verliert sofort die Verbindung und kann nichts mehr tun.",
  "Revoke this agent’s token?": "Das Token dieses Agenten widerrufen?",
  "{agent} can call no tool any more. What it runs by itself goes on; its session stays.":
    "{agent} kann kein Werkzeug mehr aufrufen. Was er selbst ausführt, läuft weiter; seine Sitzung bleibt.",
  "{device} is signed in. If that is not the device in your hand, sign it out in the list.":
    "{device} ist angemeldet. Ist das nicht das Gerät in Ihrer Hand, melden Sie es in der Liste ab.",
  "The device is signed in.": "Das Gerät ist angemeldet.",
  "The code has expired. Close this and ask for another one.":
    "Der Code ist abgelaufen. Schließen Sie das hier, und verlangen Sie einen neuen.",
  "Open {address} there and enter": "Öffnen Sie dort {address}, und geben Sie ein",
  "Scan the code, or open {address} there and enter":
    "Lesen Sie den Code ein, oder öffnen Sie dort {address}, und geben Sie ein",
  "Code {code}": "Code {code}",
  "Copy the link": "Link kopieren",
  "It works once, for one minute more. Whoever uses it can answer for you.|It works once, for {count} minutes more. Whoever uses it can answer for you.":
    "Er gilt einmal, noch eine Minute. Wer ihn benutzt, kann für Sie antworten.|Er gilt einmal, noch {count} Minuten. Wer ihn benutzt, kann für Sie antworten.",
  "This address only works on this computer. A phone needs an https address, such as the one of `tailscale serve --bg 4870`. guides/devices.md shows three ways to get one.":
    "Diese Adresse funktioniert nur auf diesem Rechner. Ein Telefon braucht eine https-Adresse, etwa die von `tailscale serve --bg 4870`. guides/devices.md zeigt drei Wege zu einer.",
  "The program’s token": "Das Token des Programms",
  "The agent’s token": "Das Token des Agenten",
  "Stands beside what the program answers.": "Steht neben dem, was das Programm antwortet.",
  "Such as Codex. Its interactions are in a session of this name; deleting that ends the token.":
    "Etwa Codex. Seine Anfragen stehen in einer Sitzung dieses Namens; sie zu löschen beendet das Token.",
  Token: "Token",
  "Header of its requests": "Kopfzeile seiner Anfragen",
  "Address of the tools (MCP)": "Adresse der Werkzeuge (MCP)",
  "What it may do": "Was es darf",
  "Everything that you can do but making tokens and adding devices, answers included.":
    "Alles, was Sie können, auch antworten; aber keine Tokens anlegen und keine Geräte hinzufügen.",
  "It sees everything and changes nothing.": "Es sieht alles und ändert nichts.",
  "Then the program needs another token.": "Danach braucht das Programm ein neues Token.",
  "{n} days": "{n} Tage",
  "It needs a name.": "Es braucht einen Namen.",
  Name: "Name",
  "Making…": "Wird angelegt …",
  "Make a token": "Token anlegen",
  "The token is shown only now. Copy it before you close this.":
    "Das Token wird nur jetzt gezeigt. Kopieren Sie es, bevor Sie das hier schließen.",
  "Copy: {name}": "Kopieren: {name}",
} satisfies Texts;
