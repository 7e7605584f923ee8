import type { ComponentChildren } from "preact"

/** A label and value in a list of facts. */
export const FactRow = ({ children, label, total, ...value }: {
  readonly label: string
  readonly children: ComponentChildren
  /** Whether the row is the total of the rows above it. */
  readonly total?: boolean
  readonly class?: string
  readonly dir?: "auto"
}) => (
  <div class={total === true ? "total" : undefined}>
    <dt>{label}</dt>
    <dd {...value}>{children}</dd>
  </div>
)
