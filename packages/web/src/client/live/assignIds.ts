// Identifies rows and forms by their link target, regardless of their position. Without stable IDs, a list's new third
// row would be morphed into the former second row and keep the wrong focus.

const rows = "form:not([id]), li:not([id]), tr:not([id]), article:not([id])"

const aimOf = (element: Element): string | null => {
  if (element instanceof HTMLFormElement) return `${element.method} ${element.getAttribute("action") ?? ""}`
  const link = element.querySelector("a[href], form[action]")
  return link === null ? null : link.getAttribute("href") ?? link.getAttribute("action")
}

/** Assigns IDs that are the same on every copy of the page. */
export const assignIds = (root: Element): void => {
  const usedIds = new Set([...root.querySelectorAll("[id]")].map(({ id }) => id))
  for (const element of root.querySelectorAll(rows)) {
    const aim = aimOf(element)
    if (aim === null) continue
    const name = `${element.localName}:${encodeURI(aim)}`
    let id = name
    for (let nth = 2; usedIds.has(id); nth++) id = `${name}~${nth}`
    usedIds.add(id)
    element.id = id
  }
}
