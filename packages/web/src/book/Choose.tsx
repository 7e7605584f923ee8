import type { ComponentChildren } from "preact"
import { href } from "../ui/href.ts"
import { pathOf, type Picked, wantedOf } from "./Picked.ts"

/**
 * Leads to another state of the picker: a link, or a button of the form around it where what was typed has to go along.
 *
 * @category views
 */
export const Choose = ({ children, name, picked: { open, shown, typed }, swap, value, ...said }: {
  readonly picked: Picked
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
      <a {...said} data-swap={swap} href={href(shown, pathOf({ open, shown }), { [name]: value, ...wantedOf(open) })}>
        {children}
      </a>
    )
    : (
      <button
        {...said}
        formaction={href(shown, pathOf({ open, shown }, "/times"))}
        formnovalidate
        name={name}
        value={value}
      >
        {children}
      </button>
    )
