import type { ComponentChildren } from "preact"

/**
 * A secret that is shown this one time. A click into it selects it whole.
 *
 * @category views
 */
export const Secret = (
  { children, label, secret }: {
    readonly label: string
    readonly secret: string
    /** What to do with it now. */
    readonly children: ComponentChildren
  }
) => (
  <section class="card" aria-labelledby="secret">
    <header>
      <h2 id="secret">{label}</h2>
    </header>
    <div class="pad stack">
      <p class="secret">
        <code dir="ltr">{secret}</code>
      </p>
      <p>{children}</p>
    </div>
  </section>
)
