import type { ComponentChildren } from "preact"

/** Empty state of a list, with the next step. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="pad soft empty">{children}</p>
)
