import type { ComponentChildren } from "preact"

/** Scroll containers must be focusable for keyboard users. */
const reachable = { tabIndex: 0 }

/** Horizontal scroll container for wide content such as tables. */
export const Scroll = ({ children, label }: { readonly label: string; readonly children: ComponentChildren }) => (
  <section class="scroll" aria-label={label} {...reachable}>{children}</section>
)
