import type { ComponentChildren } from "preact"

/** A line of a list of facts: what it is, and what it comes to. */
export const Row = ({ children, label, total, ...value }: {
  readonly label: string
  readonly children: ComponentChildren
  /** The last line, of which the others are parts. */
  readonly total?: boolean
  readonly class?: string
  readonly dir?: "auto"
}) => (
  <div class={total === true ? "total" : undefined}>
    <dt>{label}</dt>
    <dd {...value}>{children}</dd>
  </div>
)
