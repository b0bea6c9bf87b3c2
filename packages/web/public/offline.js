// Says it in the language of the page, and opens the page again as soon as the gateway can be reached.
const LOOK_MS = 1500;
/** The gateway writes the path under which it is found. */
const PLACE = "./";

/** The one that was chosen for this device, else the first of the browser's that there is. */
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
    return null; // storage is refused: the browser's own languages count
  }
}

async function look() {
  try {
    const { ok } = await fetch(`${PLACE}healthz`, { cache: "no-store" });
    if (ok) location.reload();
  } catch {
    // It is still away.
  }
}

// oxlint-disable-next-line no-restricted-globals -- a script by itself has no clock to be given
setInterval(() => void look(), LOOK_MS);
showLanguage();
