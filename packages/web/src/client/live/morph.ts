import { Idiomorph } from "idiomorph"
import { assignIds } from "./assignIds.ts"
import { hasUnsavedInput, isActiveForm, isField } from "./dirtyForms.ts"

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
 * Applies the styles from a newer copy of the page: its stylesheet and its own styles. The copy contains its own styles
 * in templates.
 */
export const syncAttributes = (next: Document): void => {
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
