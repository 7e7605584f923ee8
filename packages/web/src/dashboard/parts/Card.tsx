import type { ComponentChildren } from "preact"

/**
 * A part of a page that is named by its heading.
 *
 * @category views
 */
export const Card = (
  { beside, children, id, title }: {
    /** Of the heading. */
    readonly id: string
    readonly title: ComponentChildren
    /** What stands beside the heading. */
    readonly beside?: ComponentChildren
    readonly children: ComponentChildren
  }
) => (
  <section class="card" aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      {beside}
    </header>
    {children}
  </section>
)
