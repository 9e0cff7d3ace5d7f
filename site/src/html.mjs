/** For text and for attributes in double quotes. @param {string} text */
export function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Words for an address: `Vault exports` becomes `vault-exports`. @param {string} name */
export function slugOf(name) {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** The ids of headings, as repositories show them: the same links work in the Markdown file and on the page. */
export function headingIds() {
  /** @type {Map<string, number>} */
  const used = new Map();
  return (/** @type {string} */ text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}
