// Opens the page again as soon as the gateway can be reached.
const LOOK_MS = 1500;

setInterval(async () => {
  try {
    const { ok } = await fetch("/healthz", { cache: "no-store" });
    if (ok) location.reload();
  } catch {
    // It is still away.
  }
}, LOOK_MS);
