import type { ComponentChildren } from "preact"
import { href } from "../ui/href.ts"
import { type OfferingPageProps, selectedQuantity, selectionPath } from "./OfferingPageProps.ts"

/**
 * Leads to another state of the picker: a link, or a button of the form around it where what was typed has to go along.
 */
export const SelectionLink = ({ children, name, picked: { open, shown, typed }, swap, value, ...said }: {
  readonly picked: OfferingPageProps
  readonly name: "date" | "month"
  readonly value: string
  /** What a script shows then, and goes to. */
  readonly swap: "month" | "times"
  readonly children: ComponentChildren
  readonly class?: string
  readonly "aria-label"?: string
  readonly "aria-current"?: "date" | undefined
}) =>
  typed === undefined
    ? (
      <a
        {...said}
        data-swap={swap}
        href={href(shown, selectionPath({ open, shown }), { [name]: value, ...selectedQuantity(open) })}
      >
        {children}
      </a>
    )
    : (
      <button
        {...said}
        formaction={href(shown, selectionPath({ open, shown }, "/times"))}
        formnovalidate
        name={name}
        value={value}
      >
        {children}
      </button>
    )
