// Adds a Book button to any website. The button and all links to the booking page open it in a popup. The server
// prepends a `trailbook` variable to this script.
import { registerSiteTools } from "./parts/guestTools.ts"

declare const trailbook: {
  readonly accent: string
  readonly book: string
  readonly close: string
  /** Structured data about the trips (schema.org). */
  readonly about: object
}

const scriptUrl = new URL(import.meta.url)
/** The booking page's URL, without a trailing slash. */
const page = scriptUrl.href.replace(/\/button\.js(?:[?#].*)?$/, "")
const tag = [...document.scripts].find(({ src }) => src === scriptUrl.href)
const options: DOMStringMap = tag?.dataset ?? {}
const { button, label = trailbook.book, lang, offering } = options
const isHexColor = (color: string | undefined): color is string => color !== undefined && /^#[0-9a-f]{6}$/i.test(color)
const accent = isHexColor(options.accent) ? options.accent : trailbook.accent
/**
 * If the frame sends no message within this time, it is assumed to be blocked, and the booking page opens in its place.
 */
const loadTimeoutMs = 10_000

const data = document.createElement("script")
data.type = "application/ld+json"
data.textContent = JSON.stringify(trailbook.about)
document.head.append(data)

/** Adopted stylesheets work under policies that forbid style elements and attributes. */
const sheet = new CSSStyleSheet()
sheet.replaceSync(`
button { font: 600 1rem/1.2 system-ui, sans-serif; min-height: 48px; border: 0; border-radius: 12px; cursor: pointer }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px }
.book { padding: .75rem 1.4rem; background: ${accent}; color: #fff }
.corner { position: fixed; inset: auto 1rem 1rem auto; z-index: 2147483647; box-shadow: 0 4px 20px #0006 }
dialog { position: fixed; inset: 0; margin: auto; padding: 0; border: 0; border-radius: 16px; overflow: hidden; background: Canvas; width: min(62rem, 100vw - 2rem); max-width: none; height: min(58rem, 100dvh - 2rem); max-height: none; color-scheme: light dark }
dialog::backdrop { background: #0009 }
.close { position: absolute; inset: .5rem .5rem auto auto; width: 48px; font-size: 1.5rem; border-radius: 50%; background: Canvas; color: CanvasText }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: auto }
@media (max-width: 40rem) { dialog { width: 100vw; height: 100dvh; border-radius: 0 } }
`)

/** Appends an element with its own styles. */
const attachShadow = (...children: ReadonlyArray<HTMLElement>): HTMLElement => {
  const host = document.createElement("trailbook-popup")
  const root = host.attachShadow({ mode: "open" })
  root.adoptedStyleSheets = [sheet]
  root.append(...children)
  return host
}

const createElement = <Name extends "button" | "dialog" | "iframe">(name: Name, className: string, text: string) => {
  const element = document.createElement(name)
  element.className = className
  element.textContent = text
  return element
}

const openPopup = (url: URL) => {
  const frameUrl = new URL(url)
  frameUrl.searchParams.set("embed", "1")
  for (const [name, value] of Object.entries({ accent: options["accent"], lang })) {
    if (value !== undefined) frameUrl.searchParams.set(name, value)
  }
  const dialog = createElement("dialog", "", "")
  dialog.setAttribute("aria-label", label)
  const frame = createElement("iframe", "", "")
  frame.title = label
  frame.src = frameUrl.href
  const closeButton = createElement("button", "close", "×")
  closeButton.setAttribute("aria-label", trailbook.close)
  closeButton.addEventListener("click", () => dialog.close())
  dialog.append(frame, closeButton)
  const host = attachShadow(dialog)
  document.body.append(host)

  // The back button closes the popup. `history.back()` could go back to a page that the frame visited, so browsers with
  // the Navigation API return directly to the entry from before the popup opened.
  const entry = window.navigation?.currentEntry?.key
  history.pushState({ ...history.state, trailbook: true }, "")
  let isBack = false
  const onBack = () => {
    isBack = history.state?.trailbook !== true
    if (isBack) dialog.close()
  }
  const redirectTimer = setTimeout(() => location.assign(url), loadTimeoutMs)
  const onMessage = ({ data, origin, source }: MessageEvent) => {
    if (source !== frame.contentWindow || origin !== scriptUrl.origin) return
    const { reference, type } = Object(data)
    clearTimeout(redirectTimer)
    if (type === "trailbook:escape") dialog.close()
    if (type === "trailbook:booked" && typeof reference === "string") {
      document.dispatchEvent(new CustomEvent(type, { detail: { reference }, bubbles: true }))
    }
  }
  addEventListener("popstate", onBack)
  addEventListener("message", onMessage)
  const { overflow } = document.documentElement.style
  document.documentElement.style.overflow = "hidden"
  dialog.addEventListener("close", () => {
    clearTimeout(redirectTimer)
    removeEventListener("popstate", onBack)
    removeEventListener("message", onMessage)
    document.documentElement.style.overflow = overflow
    host.remove()
    if (isBack) return
    if (entry === undefined) history.back()
    else window.navigation?.traverseTo(entry)
  })
  // The browser traps the focus inside the dialog, closes it with Escape, and restores the focus afterward.
  dialog.showModal()
}

registerSiteTools(page)

const startUrl = new URL(offering === undefined ? page : `${page}/${encodeURIComponent(offering)}`)
if (button !== "none") {
  const bookButton = createElement("button", "book", label)
  bookButton.addEventListener("click", () => openPopup(startUrl))
  const isCorner = button === "corner" || tag === undefined || document.head.contains(tag)
  if (isCorner) bookButton.classList.add("corner")
  const host = attachShadow(bookButton)
  if (isCorner || tag === undefined) document.body.append(host)
  else tag.after(host)
}

addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (link === null || event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  if (link.href !== page && !link.href.startsWith(`${page}/`) && !link.href.startsWith(`${page}?`)) return
  event.preventDefault()
  openPopup(new URL(link.href))
})
