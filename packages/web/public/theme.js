// Runs before the first paint, so that a chosen theme does not flash and the static frame matches the page that is drawn
// later. Without a choice, the system's theme applies.
(function () {
  try {
    // The path of the page, written by the gateway.
    const place = "./".slice(0, -1);
    const theme = localStorage.getItem(`holdpoint${place}.theme`);
    const isSignedIn = localStorage.getItem(`holdpoint${place}.device`) !== null;
    if (isSignedIn && !/^\/(?:i|pair)(?:\/|$)/.test(location.pathname.slice(place.length))) {
      document.documentElement.dataset.frame = "rail";
    }
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is off: the system's theme applies.
  }
})();
