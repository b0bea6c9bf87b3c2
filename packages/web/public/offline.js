// Shows the offline message in the language of the page, and reloads once the gateway can be reached.
const LOOK_MS = 1500;
/** The path of the page, written by the gateway. */
const PLACE = "./";

/** Shows the text in the language chosen on this device, or else in the browser's first available one. */
function showLanguage() {
  const chosen = readChosen();
  const texts = [...document.querySelectorAll("main")];
  const wanted = (chosen === null ? navigator.languages : [chosen]).map(
    (tag) => tag.toLowerCase().split("-", 1)[0],
  );
  const known = wanted.find((tag) => texts.some(({ lang }) => lang === tag)) ?? "en";
  for (const text of texts) text.hidden = text.lang !== known;
  document.documentElement.lang = known;
}

function readChosen() {
  try {
    return localStorage.getItem(`holdpoint${PLACE.slice(0, -1)}.language`);
  } catch {
    return null; // storage is refused: use the browser's languages
  }
}

async function look() {
  try {
    const { ok } = await fetch(`${PLACE}healthz`, { cache: "no-store" });
    if (ok) location.reload();
  } catch {
    // The gateway is still away.
  }
}

// oxlint-disable-next-line no-restricted-globals -- a plain script has no injected clock
setInterval(() => void look(), LOOK_MS);
showLanguage();
