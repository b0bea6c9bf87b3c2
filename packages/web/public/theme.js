// Runs before the first paint, so that a chosen theme does not flash, and the frame of the page is the one that its code
// draws. Without a choice the system's theme holds.
(function () {
  try {
    const theme = localStorage.getItem("holdpoint.theme");
    const isSignedIn = localStorage.getItem("holdpoint.device") !== null;
    if (isSignedIn && !/^\/(?:i|pair)(?:\/|$)/.test(location.pathname)) {
      document.documentElement.dataset.frame = "rail";
    }
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is off: the system's theme holds.
  }
})();
