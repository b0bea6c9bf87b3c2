// Reports an outdated browser before the page starts, so that its link is not used up. Any browser can run this file.
(function () {
  // Chrome and Edge 123, Safari 17.5 and Firefox 124 are the first versions with all of these.
  function isNew() {
    return (
      typeof AbortSignal === "function" &&
      "any" in AbortSignal &&
      "withResolvers" in Promise &&
      "groupBy" in Map &&
      "toSorted" in Array.prototype &&
      "toWellFormed" in String.prototype &&
      typeof CSS === "object" &&
      CSS.supports("color", "light-dark(red, red)")
    );
  }
  if (isNew()) return;

  var isGerman = /^de\b/i.test(navigator.language);
  function add(parent, name, text) {
    var element = document.createElement(name);
    element.textContent = text;
    parent.appendChild(element);
    return element;
  }
  // Removing the contents prevents the page from starting.
  document.body.textContent = "";
  var main = add(document.body, "main", "");
  main.lang = isGerman ? "de" : "en";
  main.setAttribute("role", "alert");
  main.style.cssText = "max-width: 32rem; margin: 15vh auto 0; padding: 0 16px; line-height: 1.5";
  add(main, "h1", isGerman ? "Dieser Browser ist zu alt" : "This browser is too old");
  add(
    main,
    "p",
    isGerman
      ? "Holdpoint braucht Chrome oder Edge 123, Safari 17.5, Firefox 124 oder neuer. Aktualisieren Sie diesen Browser, oder öffnen Sie dieselbe Adresse in einem anderen."
      : "Holdpoint needs Chrome or Edge 123, Safari 17.5, Firefox 124, or newer. Update this browser, or open the same address in another one.",
  );
  add(
    main,
    "p",
    isGerman
      ? "Von hier wurde nichts gesendet. Ein Link zur Anmeldung gilt weiter."
      : "Nothing was sent from here. A launch link has not been used up.",
  );
})();
