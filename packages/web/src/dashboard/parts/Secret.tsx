import type { ComponentChildren } from "preact"
import { Card } from "../parts/Card.tsx"

/** A secret that is shown once. A click selects the text. */
export const Secret = (
  { children, label, secret }: {
    readonly label: string
    readonly secret: string
    /** Instructions for storing it. */
    readonly children: ComponentChildren
  }
) => (
  <Card id="secret" title={label} pad="stack">
    <p class="secret">
      <code dir="ltr">{secret}</code>
    </p>
    <p>{children}</p>
  </Card>
)
