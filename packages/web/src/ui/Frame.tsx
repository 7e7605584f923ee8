import type { ComponentChildren } from "preact"
import type { Page } from "./Document.tsx"

/** Renders the frame for pages without an outfitter. Sign-in pages are a single centered card. */
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
