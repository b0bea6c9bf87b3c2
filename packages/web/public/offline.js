// Opens the page again as soon as the gateway can be reached.
const LOOK_MS = 1500;

async function look() {
  try {
    const { ok } = await fetch("/healthz", { cache: "no-store" });
    if (ok) location.reload();
  } catch {
    // It is still away.
  }
}

// oxlint-disable-next-line no-restricted-globals -- a script by itself has no clock to be given
setInterval(() => void look(), LOOK_MS);
