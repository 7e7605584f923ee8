import type { ComponentChildren } from "preact"

/** A section with a heading. */
export const Card = (
  { headerEnd, children, id, pad, title }: {
    /** ID of the heading. */
    readonly id: string
    readonly title: ComponentChildren
    /** Content next to the heading. */
    readonly headerEnd?: ComponentChildren
    /** Padding and spacing of the content. Without it, the content is flush with the edges, for rows. */
    readonly pad?: "stack" | "stack tight" | "fields"
    readonly children: ComponentChildren
  }
) => (
  <section class="card" aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      {headerEnd}
    </header>
    {pad === undefined ? children : <div class={`pad ${pad}`}>{children}</div>}
  </section>
)
