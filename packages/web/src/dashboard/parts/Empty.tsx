import type { ComponentChildren } from "preact"

/** Where a list has nothing: that it is so, and what to do next. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="pad soft empty">{children}</p>
)
