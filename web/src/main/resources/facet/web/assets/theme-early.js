// Before the first paint, so that the page does not flash in the other colours.
(() => {
  try {
    const theme = localStorage.getItem('facet-theme');
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Storage is off in this browser: the system's colours it is.
  }
})();
