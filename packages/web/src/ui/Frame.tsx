import type { ComponentChildren } from "preact"
import type { Page } from "./Document.tsx"

/** The frame of pages that are no outfitter's, or not yet: those of signing in are one card in the middle. */
export const framePage = (title: string, children: ComponentChildren, style: "front" | "signIn" = "signIn"): Page => ({
  title,
  style,
  body: (
    <div class="wrap">
      <main id="content" class={style === "front" ? "front stack" : "narrow stack"}>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
})
