/** The element of the page with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** A new element with these properties and children. */
export function element(name, properties = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** A radio button drawn as its label. */
export function choice({className, group, value, checked}, ...content) {
  return element('label', {className},
    element('input', {type: 'radio', name: group, value, checked}),
    element('span', {}, ...content));
}

/** A new element of a drawing with these attributes and children. */
export function drawn(name, attributes = {}, ...children) {
  const created = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.entries(attributes).forEach(([key, value]) => created.setAttribute(key, value));
  created.append(...children);
  return created;
}
