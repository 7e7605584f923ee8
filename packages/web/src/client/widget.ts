// Defines `<trailbook-booking slug="…">`, which embeds an outfitter's booking page. Its content, usually a link, is the
// fallback if the booking page cannot be shown.
import { registerSiteTools } from "./parts/siteTools.ts"

const script = new URL(import.meta.url)
/**
 * The script's URL without `/widget.js`, or without `/assets/….js` if the setup page's preview script includes this
 * module.
 */
const base = script.href.replace(/\/(?:widget|assets\/[^/]+)\.js(?:[?#].*)?$/, "")
const carried = ["offering", "accent", "lang"] as const
/** If the frame sends no message within this time, it is assumed to be unreachable or blocked by the page's policy. */
const patienceMs = 10_000

class TrailbookBooking extends HTMLElement {
  static observedAttributes = ["slug", ...carried]
  readonly #root = this.attachShadow({ mode: "open" })
  #frame: HTMLIFrameElement | undefined
  #waiting: ReturnType<typeof setTimeout> | undefined

  connectedCallback() {
    addEventListener("message", this.#heard)
    this.#show()
  }

  disconnectedCallback() {
    removeEventListener("message", this.#heard)
    clearTimeout(this.#waiting)
  }

  attributeChangedCallback(_: string, before: string | null, after: string | null) {
    if (this.isConnected && this.#frame !== undefined && before !== after) this.#show()
  }

  #show() {
    clearTimeout(this.#waiting)
    const slug = this.getAttribute("slug") ?? ""
    if (slug === "") return this.#instead()
    registerSiteTools(`${base}/book/${encodeURIComponent(slug)}`)
    const offering = this.getAttribute("offering")
    const path = [slug, ...offering === null || offering === "" ? [] : [offering]].map(encodeURIComponent).join("/")
    const address = new URL(`${base}/book/${path}?embed=1`)
    for (const name of ["accent", "lang"]) {
      const value = this.getAttribute(name)
      if (value !== null && value !== "") address.searchParams.set(name, value)
    }
    const frame = document.createElement("iframe")
    frame.title = this.getAttribute("title") ?? (this.textContent?.trim() || "Booking")
    // Setting properties individually works even under policies that forbid style attributes.
    Object.assign(frame.style, {
      display: "block",
      width: "100%",
      border: "0",
      borderRadius: "14px",
      height: "40rem",
      colorScheme: "auto"
    })
    frame.src = address.href
    this.#frame = frame
    this.#root.replaceChildren(frame)
    this.#waiting = setTimeout(() => this.#instead(), patienceMs)
  }

  #instead() {
    clearTimeout(this.#waiting)
    this.#frame = undefined
    this.#root.replaceChildren(document.createElement("slot"))
  }

  readonly #heard = ({ data, origin, source }: MessageEvent) => {
    const frame = this.#frame
    if (frame === undefined || source !== frame.contentWindow || origin !== script.origin) return
    const { height, reference, type } = Object(data)
    if (type === "trailbook:resize" && Number.isFinite(height) && height > 0 && height < 100_000) {
      frame.style.height = `${height}px`
      this.#tell(type, { height })
    } else if (type === "trailbook:ready") {
      clearTimeout(this.#waiting)
      this.#tell(type, {})
    } else if (type === "trailbook:booked" && typeof reference === "string") {
      this.#tell(type, { reference })
      this.scrollIntoView({ block: "nearest" })
    }
  }

  #tell(type: string, detail: object) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

if (!customElements.get("trailbook-booking")) customElements.define("trailbook-booking", TrailbookBooking)
