import { Idiomorph } from "idiomorph"

const isDisclosure = (element: Element): boolean => element.matches("details, dialog")

/** Records the focused element and returns a function that finds its replacement if the element is removed. */
const rememberFocus = (): () => HTMLElement | null => {
  const focusedElement = document.activeElement
  const selector = focusedElement === null
    ? undefined
    : focusedElement.id !== ""
    ? `#${CSS.escape(focusedElement.id)}`
    : focusedElement.hasAttribute("href")
    ? `a[href="${CSS.escape(focusedElement.getAttribute("href") ?? "")}"]`
    : undefined
  return () => {
    if (focusedElement === null || focusedElement === document.body || focusedElement.isConnected) return null
    return (selector === undefined ? null : document.querySelector<HTMLElement>(selector)) ??
      document.querySelector<HTMLElement>("main")
  }
}

/**
 * Morphs an element into its counterpart on a newer copy of the page. Keeps typed values, the focus, open disclosures,
 * and scroll positions. Elements with `data-keep` are skipped, because their own scripts manage them.
 */
export const morphPage = (old: Element, next: Element): void => {
  const again = rememberFocus()
  assignIds(old)
  assignIds(next)
  void Idiomorph.morph(old, next, {
    restoreFocus: true,
    callbacks: {
      beforeNodeMorphed: (node) =>
        !(node instanceof HTMLElement && "keep" in node.dataset) && !(isField(node) && isActiveForm(node)),
      beforeNodeRemoved: (node) => !hasUnsavedInput(node),
      beforeAttributeUpdated: (name, element) => !(name === "open" && isDisclosure(element))
    }
  })
  again()?.focus({ preventScroll: true })
}

/** The content security policy forbids inserting inline styles, but allows stylesheets that a script constructs. */
const pageStyles = new CSSStyleSheet()

/**
 * Applies the styles from a newer copy of the page: its stylesheet and its style elements, which are templates in the
 * copy.
 */
export const syncStyles = (next: Document): void => {
  const sheet = next.querySelector("link[rel=stylesheet]")
  if (sheet !== null && document.querySelector(`link[href="${sheet.getAttribute("href")}"]`) === null) {
    document.head.append(sheet)
  }
  const knownStyles = new Set([...document.querySelectorAll("style")].map(({ textContent }) => textContent))
  const newStyles = [...next.querySelectorAll<HTMLTemplateElement>("head > template")].map(({ content }) =>
    content.textContent
  ).filter((text) => !knownStyles.has(text))
  pageStyles.replaceSync(newStyles.join("\n"))
  if (!document.adoptedStyleSheets.includes(pageStyles)) document.adoptedStyleSheets.push(pageStyles)
}

// Identifies rows and forms by their link target, regardless of their position. Without stable IDs, inserting a row
// would morph each later row into its neighbor and leave the focus on the wrong row.

const rows = "form:not([id]), li:not([id]), tr:not([id]), article:not([id])"

const aimOf = (element: Element): string | null => {
  if (element instanceof HTMLFormElement) return `${element.method} ${element.getAttribute("action") ?? ""}`
  const link = element.querySelector("a[href], form[action]")
  return link === null ? null : link.getAttribute("href") ?? link.getAttribute("action")
}

/** Assigns IDs that are the same on every copy of the page. */
const assignIds = (root: Element): void => {
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

// Detects unsaved input, which a refresh must keep.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fields = "input, select, textarea"

const isField = (node: Node): node is Field => node instanceof Element && node.matches(fields)

const isChanged = (field: Field): boolean => {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options]
    // Browsers select the first option if none is marked as selected.
    return options.some(({ defaultSelected }) => defaultSelected)
      ? options.some(({ defaultSelected, selected }) => selected !== defaultSelected)
      : !field.multiple && field.selectedIndex > 0
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked
  if (field.type === "file") return (field.files?.length ?? 0) > 0
  return field.type !== "hidden" && field.value !== field.defaultValue
}

const isInHand = (field: Field): boolean => field === document.activeElement || isChanged(field)

/**
 * Whether the field's form has focus or unsaved input. A refresh keeps all fields in such a form, even hidden ones,
 * because they must remain consistent with each other.
 */
const isActiveForm = (field: Field): boolean =>
  field.form === null ? isInHand(field) : [...field.form.elements].some((one) => isField(one) && isInHand(one))

/** Whether removing the node would lose unsaved input. */
const hasUnsavedInput = (node: Node): boolean =>
  isField(node)
    ? isInHand(node)
    : node instanceof Element && [...node.querySelectorAll<Field>(fields)].some(isInHand)
