// Progressive enhancement for the booking page: updates the picker in place instead of reloading the page.
import "./parts/form.ts"
import { bookingPagePath, callTool, listTools, modelContext } from "./parts/guestTools.ts"

const root = document.documentElement
root.classList.add("js")

let latest: AbortController | undefined

/** Loads another state of the picker. If anything fails, the browser navigates to the URL instead. */
const showPicker = async (url: string, isNewEntry: boolean, focusId?: string) => {
  const pick = document.getElementById("pick")
  if (pick === null) return
  latest?.abort()
  const controller = latest = new AbortController()
  const busyTimer = setTimeout(() => pick.setAttribute("aria-busy", "true"), 150)
  try {
    const response = await fetch(url, { signal: controller.signal })
    const page = new DOMParser().parseFromString(await response.text(), "text/html")
    const next = page.getElementById("pick")
    if (next === null) throw new Error()
    pick.replaceChildren(...next.childNodes)
    document.title = page.title
    if (isNewEntry) history.pushState(null, "", url)
    showDeviceZone()
    if (focusId !== undefined) document.getElementById(focusId)?.focus({ preventScroll: focusId !== "times" })
  } catch {
    if (!controller.signal.aborted) location.href = url
  } finally {
    clearTimeout(busyTimer)
    pick.removeAttribute("aria-busy")
  }
}

addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-swap]") : null
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
  event.preventDefault()
  void showPicker(link.href, true, link.dataset["swap"])
})

addEventListener("popstate", () => void showPicker(location.href, false))

addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
  const { form } = target
  if (form === null || target.dataset["live"] === undefined || !target.checkValidity()) return
  // A form with typed contact details uses POST, so let the browser submit it.
  if (form.method === "post") form.querySelector<HTMLButtonElement>(".update")?.click()
  else {
    const url = new URL(form.action)
    for (const [name, value] of new FormData(form)) if (typeof value === "string") url.searchParams.set(name, value)
    void showPicker(url.href, true, target.id)
  }
})

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

addEventListener("keydown", (event) => {
  const day = event.target instanceof Element ? event.target.closest(".cal a, .cal button, .strip > *") : null
  const step = steps[event.key]
  if (day === null || step === undefined) return
  const cells = [...day.closest("table")?.querySelectorAll("tbody td") ?? day.parentElement?.children ?? []]
  let at = cells.findIndex((cell) => cell.contains(day))
  let next: HTMLElement | null | undefined
  do {
    at += step
    const cell = cells[at]
    next = cell instanceof HTMLAnchorElement || cell instanceof HTMLButtonElement
      ? cell
      : cell?.querySelector<HTMLElement>("a, button")
  } while (cells[at] !== undefined && !next)
  event.preventDefault()
  next?.focus()
})

/** Shows a note if the visitor's time zone differs from the trip's, because all times are in the trip's time zone. */
const showDeviceZone = () => {
  const note = document.querySelector<HTMLElement>("[data-zone]")
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (note === null || deviceZone === note.dataset["zone"]) return
  const city = deviceZone.split("/").at(-1)?.replaceAll("_", " ") ?? deviceZone
  note.textContent = ` ${note.dataset["deviceTime"]?.replace("{city}", city) ?? ""}`
}
showDeviceZone()

/**
 * Registers the tools of the booking page's MCP endpoint with the browser's assistant (WebMCP), if there is one. The
 * page's limits apply to the assistant's calls, and only the guest can confirm a hold.
 */
const registerTools = async () => {
  for (const tool of await listTools()) {
    modelContext?.registerTool({ ...tool, execute: (input) => callTool(tool.name, input) })
  }
}

if (modelContext !== undefined && bookingPagePath !== undefined) {
  // Without an endpoint, the page works as usual.
  registerTools().catch(() => {})
}
