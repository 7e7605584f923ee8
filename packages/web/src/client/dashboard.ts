// Keeps a dashboard page up to date. Whenever the org's data changes, the script fetches the page again and morphs the
// DOM. Pages also work without this script.
import { PageRefresher } from "./live/PageRefresher.ts"
import { SharedEventSource } from "./live/SharedEventSource.ts"
import "./parts/form.ts"
import "./parts/offline.ts"
import "./parts/attendanceTaps.ts"

const main = document.querySelector<HTMLElement>("main[data-live]")
const address = main?.dataset["live"]

/** Shows the state of the live updates. The messages are in data attributes, in the page's language. */
const show = (state: "live" | "lost" | "out") =>
  document.querySelectorAll<HTMLElement>("[data-live-state]").forEach((element) => {
    const { live, lost, out } = element.dataset
    const word = { live, lost, out: out ?? lost }[state] ?? ""
    element.dataset["liveState"] = state
    element.classList.toggle("lost", state !== "live")
    if (element.textContent !== word) element.textContent = word
    element.hidden = word === ""
  })

if (main !== null && address !== undefined && address !== "") {
  const page: PageRefresher = new PageRefresher(main, (over) => {
    if (over === "gone") return
    stream.end()
    show("out")
  })
  const stream = new SharedEventSource(address, {
    onHead: (head) => page.upTo(head),
    onState: show,
    onRefused: () => page.anyhow()
  })

  let leaving: ReturnType<typeof setTimeout> | undefined
  const followVisibility = () => {
    clearTimeout(leaving)
    if (document.hidden) leaving = setTimeout(() => stream.end(), 1000)
    else {
      stream.begin()
      page.shown()
    }
  }
  document.addEventListener("visibilitychange", followVisibility)
  addEventListener("pageshow", followVisibility)
  addEventListener("online", () => page.online())
  // An open connection would keep the page out of the back/forward cache.
  addEventListener("pagehide", () => stream.end())
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented) page.sending()
  })
  // Other scripts dispatch these events when they submit a form themselves and then update the page.
  addEventListener("trailbook:send", () => page.sending())
  addEventListener("trailbook:sent", () => {
    page.shown()
    page.anyhow()
  })
  if (main.dataset["saved"] !== undefined) page.anyhow()
  followVisibility()
}

// Otherwise, back navigation would restore the page with an open menu.
addEventListener("pagehide", () => document.querySelector<HTMLElement>(":popover-open")?.hidePopover())
