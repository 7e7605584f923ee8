// Defines `<trailbook-booking slug="…">`, which embeds an outfitter's booking page. Its content, usually a link, is the
// fallback if the booking page cannot be shown.
import { registerSiteTools } from "./parts/guestTools.ts"

const script = new URL(import.meta.url)
/** The script's URL without `/widget.js`, or without `/assets/….js` on the setup page. */
const base = script.href.replace(/\/(?:widget|assets\/[^/]+)\.js(?:[?#].*)?$/, "")
const forwardedAttributes = ["offering", "accent", "lang"] as const
/** If the frame sends no message within this time, it is assumed to be unreachable or blocked by the page's policy. */
const loadTimeoutMs = 10_000

class TrailbookBooking extends HTMLElement {
  static observedAttributes = ["slug", ...forwardedAttributes]
  readonly #root = this.attachShadow({ mode: "open" })
  #frame: HTMLIFrameElement | undefined
  #timeout: ReturnType<typeof setTimeout> | undefined

  connectedCallback() {
    addEventListener("message", this.#onMessage)
    this.#showFrame()
  }

  disconnectedCallback() {
    removeEventListener("message", this.#onMessage)
    clearTimeout(this.#timeout)
  }

  attributeChangedCallback(_: string, before: string | null, after: string | null) {
    if (this.isConnected && this.#frame !== undefined && before !== after) this.#showFrame()
  }

  #showFrame() {
    clearTimeout(this.#timeout)
    const slug = this.getAttribute("slug") ?? ""
    if (slug === "") return this.#showFallback()
    registerSiteTools(`${base}/book/${encodeURIComponent(slug)}`)
    const offering = this.getAttribute("offering")
    const path = [slug, ...offering === null || offering === "" ? [] : [offering]].map(encodeURIComponent).join("/")
    const frameUrl = new URL(`${base}/book/${path}?embed=1`)
    for (const name of ["accent", "lang"]) {
      const value = this.getAttribute(name)
      if (value !== null && value !== "") frameUrl.searchParams.set(name, value)
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
    frame.src = frameUrl.href
    this.#frame = frame
    this.#root.replaceChildren(frame)
    this.#timeout = setTimeout(() => this.#showFallback(), loadTimeoutMs)
  }

  #showFallback() {
    clearTimeout(this.#timeout)
    this.#frame = undefined
    this.#root.replaceChildren(document.createElement("slot"))
  }

  readonly #onMessage = ({ data, origin, source }: MessageEvent) => {
    const frame = this.#frame
    if (frame === undefined || source !== frame.contentWindow || origin !== script.origin) return
    const { height, reference, type } = Object(data)
    if (type === "trailbook:resize" && Number.isFinite(height) && height > 0 && height < 100_000) {
      frame.style.height = `${height}px`
      this.#emit(type, { height })
    } else if (type === "trailbook:ready") {
      clearTimeout(this.#timeout)
      this.#emit(type, {})
    } else if (type === "trailbook:booked" && typeof reference === "string") {
      this.#emit(type, { reference })
      this.scrollIntoView({ block: "nearest" })
    }
  }

  #emit(type: string, detail: object) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

if (!customElements.get("trailbook-booking")) customElements.define("trailbook-booking", TrailbookBooking)
