// Small helpers around the DOM. Nothing is written that is there already: once a second that adds up.

export const byId = (id) => document.getElementById(id);

/** element('p', {class: 'x', title: 'y'}, 'text' or nodes …) */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

export function setHidden(node, hidden) {
  if (node.hidden !== hidden) {
    node.hidden = hidden;
  }
}

export function setStyle(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) {
    node.style.setProperty(name, value);
  }
}

export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}

/** Makes the children of a node these, in this order, moving as few as it can. */
export function arrange(parent, children) {
  let at = parent.firstChild;
  for (const child of children) {
    if (child === at) {
      at = at.nextSibling;
    } else {
      parent.insertBefore(child, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
