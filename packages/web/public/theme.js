// Runs before the first paint, so that a chosen theme does not flash, and the frame of the page is the one that its code
// draws. Without a choice the system's theme holds.
(function () {
  try {
    // The gateway writes the path under which the page is found.
    const place = "./".slice(0, -1);
    const theme = localStorage.getItem(`holdpoint${place}.theme`);
    const isSignedIn = localStorage.getItem(`holdpoint${place}.device`) !== null;
    if (isSignedIn && !/^\/(?:i|pair)(?:\/|$)/.test(location.pathname.slice(place.length))) {
      document.documentElement.dataset.frame = "rail";
    }
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is off: the system's theme holds.
  }
})();
