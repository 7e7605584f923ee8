import type { ComponentChildren } from "preact"
import { Card } from "../parts/Card.tsx"

/** A secret that is shown this one time. A click into it selects it whole. */
export const Secret = (
  { children, label, secret }: {
    readonly label: string
    readonly secret: string
    /** What to do with it now. */
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
