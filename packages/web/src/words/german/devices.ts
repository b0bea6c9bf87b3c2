import type { Texts } from "@holdpoint/react/words";

/** Texts of the page "Devices and programs". */
export const DEVICES = {
  "Devices and programs": "Geräte und Programme",
  Browser: "Browser",
  "{browser} on {system}": "{browser} auf {system}",
  Language: "Sprache",
  "For this page and its notifications, on this device. Text from agents and tools is not translated.":
    "Dieser Seite und ihrer Benachrichtigungen, auf diesem Gerät. Was Agenten und Werkzeuge schreiben, bleibt, wie es ist.",
  "Signed out.": "Abgemeldet.",
  "Revoked.": "Widerrufen.",
  Devices: "Geräte",
  "Browsers that are signed in as you. Each can answer for you.":
    "Browser, die als Sie angemeldet sind. Jeder davon kann für Sie antworten.",
  "Add a device": "Gerät hinzufügen",
  Programs: "Programme",
  "Your own scripts and pages that use the gateway with a token.":
    "Ihre Skripte und Seiten, die das Gateway mit einem Token benutzen.",
  "No program has a token.": "Kein Programm hat ein Token.",
  "Add a program": "Programm hinzufügen",
  Agents: "Agenten",
  "Agents that you start yourself. Their tokens can ask you, but cannot answer.":
    "Agenten, die Sie selbst starten. Ihre Tokens können Sie fragen und nie antworten.",
  "No agent has a token.": "Kein Agent hat ein Token.",
  "Add an agent": "Agenten hinzufügen",
  "Device name": "Name des Geräts",
  "This device": "Dieses Gerät",
  "Signed in": "Angemeldet",
  "Last seen": "Zuletzt gesehen",
  "Sign out": "Abmelden",
  "Sign out {name}": "{name} abmelden",
  "Signing out…": "Wird abgemeldet …",
  Created: "Angelegt",
  "May answer (respond)": "Darf antworten (respond)",
  "Only reads (read)": "Liest nur (read)",
  "Revoke agent “{name}”": "Agent „{name}“ widerrufen",
  "Agent “{name}”": "Agent „{name}“",
  "Sign out this device?": "Dieses Gerät abmelden?",
  "Sign out this other device?": "Dieses andere Gerät abmelden?",
  "{device} is the device that you are using. To sign in again, it needs a new launch link or a new code. Text that you typed here and have not sent stays in this browser.":
    "{device} ist das Gerät, das Sie gerade benutzen. Um wiederzukommen, braucht es einen neuen Startlink oder einen neuen Code. Was Sie hier geschrieben und nicht gesendet haben, bleibt in diesem Browser.",
  "{device} is disconnected at once, and can no longer see or answer anything. Its past answers stay as they are.":
    "{device} verliert sofort die Verbindung und kann nichts mehr sehen oder beantworten. Seine bisherigen Antworten bleiben, wie sie sind.",
  "Revoke this program’s token?": "Das Token dieses Programms widerrufen?",
  "{program} is disconnected at once, and can no longer do anything here.":
    "{program} verliert sofort die Verbindung und kann nichts mehr tun.",
  "Revoke this agent’s token?": "Das Token dieses Agenten widerrufen?",
  "{agent} can no longer call the gateway's tools. Anything that it runs on its own continues, and its session stays.":
    "{agent} kann kein Werkzeug mehr aufrufen. Was er selbst ausführt, läuft weiter; seine Sitzung bleibt.",
  "{device} is signed in. If that is not the device you are adding, sign it out in the list.":
    "{device} ist angemeldet. Ist das nicht das Gerät in Ihrer Hand, melden Sie es in der Liste ab.",
  "The device is signed in.": "Das Gerät ist angemeldet.",
  "The code has expired. Close this dialog, and get a new code.":
    "Der Code ist abgelaufen. Schließen Sie das hier, und verlangen Sie einen neuen.",
  "On the new device, open {address} and enter": "Öffnen Sie dort {address}, und geben Sie ein",
  "Scan the code, or open {address} on the new device and enter":
    "Lesen Sie den Code ein, oder öffnen Sie dort {address}, und geben Sie ein",
  "Code {code}": "Code {code}",
  "Copy link": "Link kopieren",
  "It works once, within the next minute. Anyone who uses it can answer for you.|It works once, within the next {count} minutes. Anyone who uses it can answer for you.":
    "Er gilt einmal, noch eine Minute. Wer ihn benutzt, kann für Sie antworten.|Er gilt einmal, noch {count} Minuten. Wer ihn benutzt, kann für Sie antworten.",
  "This address only works on this computer. A phone needs an https address, such as one from `tailscale serve --bg 4870`. See guides/devices.md for three ways to get one.":
    "Diese Adresse funktioniert nur auf diesem Rechner. Ein Telefon braucht eine https-Adresse, etwa die von `tailscale serve --bg 4870`. guides/devices.md zeigt drei Wege zu einer.",
  "The program’s token": "Das Token des Programms",
  "The agent’s token": "Das Token des Agenten",
  "Shown next to the program’s answers.": "Steht neben dem, was das Programm antwortet.",
  "For example, Codex. Its requests are in a session with this name. Deleting that session ends the token.":
    "Etwa Codex. Seine Anfragen stehen in einer Sitzung dieses Namens; sie zu löschen beendet das Token.",
  Token: "Token",
  "Request header": "Kopfzeile seiner Anfragen",
  "MCP address": "Adresse der Werkzeuge (MCP)",
  Access: "Was es darf",
  "Can do everything you can, including answering, except create tokens and add devices.":
    "Alles, was Sie können, auch antworten; aber keine Tokens anlegen und keine Geräte hinzufügen.",
  "Can see everything, but cannot change anything.": "Es sieht alles und ändert nichts.",
  "After that, the program needs another token.": "Danach braucht das Programm ein neues Token.",
  "{n} days": "{n} Tage",
  "Enter a name.": "Es braucht einen Namen.",
  Name: "Name",
  "Creating…": "Wird angelegt …",
  "Create token": "Token anlegen",
  "Copy the token now. It will not be shown again.":
    "Das Token wird nur jetzt gezeigt. Kopieren Sie es, bevor Sie das hier schließen.",
  "Copy: {name}": "Kopieren: {name}",
} satisfies Texts;
