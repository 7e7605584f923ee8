/** A booking's QR code for its guest page, and the page that strangers see when they scan the code. */
import { encode } from "uqr"
import type { Page } from "../ui/Document.tsx"
import type { OrgRenderContext } from "../ui/RenderContext.ts"
import { cardPage } from "./Card.tsx"

/** The code as inline SVG. It is always dark on light, so that scanners can read it in dark mode. */
export const CheckInCode = ({ path, shown }: { readonly shown: OrgRenderContext; readonly path: string }) => {
  const { site, text: { guest }, url } = shown
  const at = `/${path.slice(1)}` as const
  const { data, size } = encode(site.absolute(at) ?? new URL(site.link(at), url).href, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => isDark ? [`M${x} ${y}h1v1h-1z`] : []))
  return (
    <figure class="check-in-code" aria-label={guest.code}>
      <svg viewBox={`0 0 ${size} ${size}`} aria-hidden="true" shape-rendering="crispEdges">
        <path d={squares.join("")} />
      </svg>
      <figcaption class="soft small">{guest.showCode}</figcaption>
    </figure>
  )
}

export const checkInPage = (context: OrgRenderContext): Page => {
  const { org, text: { guest } } = context
  return cardPage(context, { title: guest.showStaff }, <p dir="auto">{guest.showStaffText(org.name)}</p>)
}
