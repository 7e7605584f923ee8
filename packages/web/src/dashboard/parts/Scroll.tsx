import type { ComponentChildren } from "preact"

/** What scrolls sideways has to be reached by keyboard, though it is no control. */
const reachable = { tabIndex: 0 }

/** What may be wider than a phone, such as a table: it scrolls by itself, and the page does not. */
export const Scroll = ({ children, label }: { readonly label: string; readonly children: ComponentChildren }) => (
  <section class="scroll" aria-label={label} {...reachable}>{children}</section>
)
