import type { ComponentChildren } from "preact"
import type { Page } from "../ui/Document.tsx"

/**
 * The frame of pages for the staff while they are nowhere yet: one card in the middle.
 *
 * @category views
 */
export const framed = (title: string, children: ComponentChildren): Page => ({
  title,
  style: "signIn",
  body: (
    <div class="wrap">
      <main id="content" class="narrow stack">
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
})
