import type { ComponentChildren } from "preact"

/** A part of a page that is named by its heading. */
export const Card = (
  { beside, children, id, pad, title }: {
    /** Of the heading. */
    readonly id: string
    readonly title: ComponentChildren
    /** What stands beside the heading. */
    readonly beside?: ComponentChildren
    /** How its parts stand within its margins; without it they reach to its edges, as rows do. */
    readonly pad?: "stack" | "stack tight" | "fields"
    readonly children: ComponentChildren
  }
) => (
  <section class="card" aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      {beside}
    </header>
    {pad === undefined ? children : <div class={`pad ${pad}`}>{children}</div>}
  </section>
)
