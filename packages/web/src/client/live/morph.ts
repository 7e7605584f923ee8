import { Idiomorph } from "idiomorph"
import { assignIds } from "./assignIds.ts"
import { hasUnsavedInput, isActiveForm, isField } from "./dirtyForms.ts"

const isDisclosure = (element: Element): boolean => element.matches("details, dialog")

/** Who has the focus, so that it is found again where what had it is gone. */
const focused = (): () => HTMLElement | null => {
  const had = document.activeElement
  const selector = had === null
    ? undefined
    : had.id !== ""
    ? `#${CSS.escape(had.id)}`
    : had.hasAttribute("href")
    ? `a[href="${CSS.escape(had.getAttribute("href") ?? "")}"]`
    : undefined
  return () => {
    if (had === null || had === document.body || had.isConnected) return null
    return (selector === undefined ? null : document.querySelector<HTMLElement>(selector)) ??
      document.querySelector<HTMLElement>("main")
  }
}

/**
 * Grows an element into what it is on another copy of its page. What was typed, the focus, what is folded out and where
 * somebody has scrolled to stay; what is marked with `data-keep` belongs to a script of its own.
 */
export const morphPage = (old: Element, next: Element): void => {
  const again = focused()
  assignIds(old)
  assignIds(next)
  void Idiomorph.morph(old, next, {
    ignoreActiveValue: true,
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

/** Rules that stand in the page itself may not be added to it, says its policy; a sheet that a script makes may. */
const own = new CSSStyleSheet()

export const syncAttributes = (next: Document): void => {
  const known = new Set([...document.querySelectorAll("style")].map(({ textContent }) => textContent))
  const added = [...next.querySelectorAll("style")].map(({ textContent }) => textContent).filter((text) =>
    !known.has(text)
  )
  own.replaceSync(added.join("\n"))
  if (!document.adoptedStyleSheets.includes(own)) document.adoptedStyleSheets.push(own)
}
