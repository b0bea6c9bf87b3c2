import { createMemoryDrafts } from "@holdpoint/client";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

import "../src/styles/tokens.css";
import "../src/styles/parts.css";
import "../src/styles/code.css";
import "../src/styles/cards.css";
import "../src/styles/card-parts.css";
import "../src/styles/inputs.css";
import "../src/styles/approval.css";
import "../src/styles/past-cards.css";
import "../src/styles/notes.css";
import "../src/styles/fields.css";
import "../src/styles/forms.css";
import "../src/styles/diff.css";
import "../src/styles/markdown.css";
import "./gallery.css";
import { AnnouncerProvider, InteractionCard, LanguageProvider, Markdown } from "../src/index.ts";
import { STAY_MS } from "../src/parts/seen-lines.ts";
import { HERE, NOW } from "../src/testing/interactions.ts";
import { loadLanguage } from "../src/words/load-language.ts";
import { directionOf, translateTo } from "../src/words/translate.ts";
import type { Say } from "../src/words/use-words.ts";
import { APPROVALS } from "./approval-specimens.ts";
import { FORMS } from "./form-specimens.ts";
import { PAST } from "./past-specimens.ts";
import { PSEUDO } from "./pseudo-language.ts";
import { QUESTIONS } from "./question-specimens.ts";
import type { Specimen } from "./specimen.ts";

const SPECIMENS = [...APPROVALS, ...QUESTIONS, ...FORMS, ...PAST];

const wanted = new URLSearchParams(location.search);
const theme = wanted.get("theme");
if (theme !== null) document.documentElement.dataset["theme"] = theme;
const only = wanted.get("only")?.toLowerCase();
const font = wanted.get("font");
if (font !== null) document.documentElement.style.fontSize = `${font}px`;
const language = wanted.get("language") ?? "en";
const shownLanguage = language === "pseudo" ? PSEUDO : await loadLanguage(language);
document.documentElement.lang = shownLanguage.tag;
document.documentElement.dir = directionOf(shownLanguage);

const say: Say = translateTo(shownLanguage);
const drafts = createMemoryDrafts();
for (const { interaction, draft } of SPECIMENS) {
  if (draft !== undefined) drafts.write(interaction.interactionId, JSON.stringify(draft));
}

const MARKDOWN = `Some **markdown** with a [link](https://example.org/a), [https://example.org](https://example.org), \`code\`,
<b>raw html</b>, a picture ![A chart](https://example.org/chart.png) and a hidden\u200B space.

\`\`\`ts
const answer = 42
\`\`\`

| Tool | Calls |
| --- | --- |
| Bash | 12 |

- [x] done
- [ ] open
`;

function Gallery(): ReactNode {
  const shown = SPECIMENS.filter(
    ({ name }) => only === undefined || name.toLowerCase().includes(only),
  );
  return (
    <main>
      <h1>Cards</h1>
      {shown.map(({ name, interaction, canRespond = true, readOnlyReason, respond, ...person }) => (
        <section key={interaction.interactionId} aria-label={name} data-specimen={name}>
          <h2>{name}</h2>
          <InteractionCard
            interaction={interaction}
            clientId={HERE}
            personId={person.personId}
            signIn={person.signIn}
            canRespond={canRespond}
            {...(readOnlyReason !== undefined && { readOnlyReason })}
            onAskToCheck={() => Promise.resolve()}
            onDismiss={() => Promise.resolve(interaction)}
            onRespond={respond ?? (() => new Promise(() => undefined))}
            drafts={drafts}
            now={NOW}
            agentLabel="Claude"
          />
        </section>
      ))}
      {only === undefined && (
        <section aria-label="Markdown">
          <h2>Markdown</h2>
          <Markdown text={MARKDOWN} />
        </section>
      )}
    </main>
  );
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider language={shownLanguage}>
        <AnnouncerProvider>
          <Gallery />
        </AnnouncerProvider>
      </LanguageProvider>
    </StrictMode>,
  );
  void pressAll(SPECIMENS);
}

/** Presses the buttons of the specimens that need it, once they are drawn: some cards load on first use. */
async function pressAll(specimens: readonly Specimen[]): Promise<void> {
  while (document.querySelector("[data-specimen]") === null) await nextFrame();
  for (const { name, interaction, press, covers = false } of specimens) {
    const section = document.querySelector(`[data-specimen="${CSS.escape(name)}"]`);
    const isLeftOut = covers && name.toLowerCase() !== only;
    if (press === undefined || section === null || isLeftOut) continue;
    const button = await waitForButton(section, say.translate(press));
    // Denying and editing are possible before the card has been seen.
    if (interaction.kind !== "approval") await see(section);
    button.click();
  }
  scrollTo({ top: 0 });
  document.documentElement.dataset["ready"] = "";
}

async function waitForButton(section: Element, words: string): Promise<HTMLButtonElement> {
  for (;;) {
    const button = [...section.querySelectorAll("button")].find(
      ({ textContent }) => textContent === words || textContent.replace(/[↵DA]$/u, "") === words,
    );
    if (button !== undefined) return button;
    await nextFrame();
  }
}

/** Scrolls through the section as a reader does: a card that was not seen whole can be neither allowed nor sent. */
async function see(section: Element): Promise<void> {
  const { top, bottom } = section.getBoundingClientRect();
  const [begin, end] = [top + scrollY - innerHeight / 2, bottom + scrollY];
  for (let y = begin; y < end; y += innerHeight / 8) {
    scrollTo({ top: y });
    const since = performance.now();
    while (performance.now() - since <= STAY_MS) await nextFrame();
  }
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
