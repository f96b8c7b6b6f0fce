// What a reader of the page has chosen, kept by the browser where it lets us.

export function load(key, otherwise) {
  try {
    return localStorage.getItem(`facet-${key}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function save(key, value) {
  try {
    localStorage.setItem(`facet-${key}`, value);
  } catch {
    // Not kept; it holds until the page is loaded again.
  }
}
