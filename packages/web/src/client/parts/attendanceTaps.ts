// Offline check-in. A tap is stored with its time, shown immediately, and sent repeatedly until the server responds.
// The server orders taps by time, so sending a tap late or twice is harmless. Only the last tap for each booking needs
// to be sent. Each staff member has a separate queue, which is deleted at sign-out.

import { dashboardScope } from "./offline.ts"
import { deleteSavedPages } from "./savedPages.ts"

/** The number of people who arrived, or `no_show`, as in the forms. */
interface Tap {
  readonly tap: string
  readonly at: string
  /** Why the server refused the tap. It stays visible until the user dismisses it. */
  readonly refusal?: string
}

const firstRetryMs = 2000
const maxRetryMs = 60_000
const timeoutMs = 30_000
const signOutMs = 5000

const { me, now = "", saved } = document.querySelector<HTMLElement>("main[data-me]")?.dataset ?? {}
const key = `trailbook.taps.${me}`

/** The difference between the server's clock and this device's clock, measured when the page arrived. */
const skewMs = (() => {
  if (saved !== undefined) return Date.parse(now) - Number(saved)
  const [navigation] = performance.getEntriesByType("navigation")
  const sinceResponseMs = navigation instanceof PerformanceNavigationTiming
    ? performance.now() - navigation.responseStart
    : 0
  return Date.parse(now) - (Date.now() - sinceResponseMs)
})()
const getServerTime = (): string => new Date(Date.now() + skewMs).toISOString()

const isTap = (value: unknown): value is Tap =>
  typeof value === "object" && value !== null && "tap" in value && typeof value.tap === "string" && "at" in value &&
  typeof value.at === "string"

/** Returns the waiting taps, keyed by form URL. */
const loadTaps = (): Map<string, Tap> => {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(key) ?? "{}")
    return new Map(Object.entries(entries ?? {}).filter((entry): entry is [string, Tap] => isTap(entry[1])))
  } catch {
    return new Map()
  }
}

let taps = loadTaps()

const storeTaps = (): void => {
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(taps)))
  } catch {
    // Without storage, the taps are kept until the user leaves the page.
  }
}

const setText = (element: Element | null, text: string): void => {
  if (element !== null && element.textContent !== text) element.textContent = text
}

/** Shows a booking's attendance and returns the number of people who arrived. Changes only the elements that differ. */
const showParty = (party: HTMLElement): number => {
  const { action } = party.querySelector("form") ?? {}
  const queuedTap = taps.get(action ?? "")
  const tap = queuedTap === undefined || queuedTap.refusal !== undefined ? party.dataset["tap"] ?? "0" : queuedTap.tap
  const arrivedCount = tap === "no_show" ? 0 : Number(tap)
  const partySize = Number(party.dataset["party"])
  const state = tap === "no_show" ? tap : arrivedCount === 0 ? "expected" : "in"
  for (const element of party.querySelectorAll<HTMLElement>("[data-when]")) {
    const { from = "", when = "" } = element.dataset
    element.toggleAttribute("hidden", !when.split(" ").includes(state) || from > getServerTime())
  }
  for (const button of party.querySelectorAll<HTMLButtonElement>("[data-step]")) {
    const value = arrivedCount + Number(button.dataset["step"])
    if (button.value !== String(value)) button.value = String(value)
    button.toggleAttribute("disabled", value > partySize)
  }
  setText(
    party.querySelector(".stepper output"),
    `${arrivedCount.toLocaleString("en")} of ${partySize.toLocaleString("en")}`
  )
  const note = party.querySelector<HTMLElement>("[data-waiting]")
  setText(note, queuedTap === undefined ? "" : queuedTap.refusal ?? note?.dataset["waiting"] ?? "")
  note?.toggleAttribute("hidden", queuedTap === undefined)
  party.querySelector("[data-dismiss]")?.toggleAttribute("hidden", queuedTap?.refusal === undefined)
  return arrivedCount
}

/** Shows the waiting taps. A page refresh shows the server's state, so the taps must be shown again. */
const showAll = (): void => {
  const parties = [...document.querySelectorAll<HTMLElement>("[data-party]")]
  const arrivedCount = parties.reduce((sum, party) => sum + showParty(party), 0)
  const total = parties.reduce((sum, { dataset }) => sum + Number(dataset["party"]), 0)
  setText(
    document.querySelector("[data-arrived]"),
    `${arrivedCount.toLocaleString("en")} of ${total.toLocaleString("en")}`
  )
}

let isSending = false
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Removes a tap or marks it as refused, unless the booking was tapped again in the meantime. */
const settleTap = (url: string, { at, tap }: Tap, refusal?: string): void => {
  if (taps.get(url)?.at !== at) return
  if (refusal === undefined) {
    taps.delete(url)
    // Keep showing the accepted tap until the next page refresh.
    const party = [...document.querySelectorAll<HTMLElement>("[data-party]")].find((one) =>
      one.querySelector("form")?.action === url
    )
    if (party !== undefined) party.dataset["tap"] = tap
  } else taps.set(url, { at, tap, refusal })
  storeTaps()
}

/** Sends a tap. Returns false if the staff member is signed out. */
const sendTap = async (url: string, tap: Tap): Promise<boolean> => {
  const body = new URLSearchParams({ tap: tap.tap, at: tap.at })
  const response = await fetch(url, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) })
  if (response.ok && response.redirected) {
    // The server redirects to the booking page, or to the sign-in page if the staff member is signed out. The sign-in
    // page then redirects to the Today page if another tab has signed in again.
    if (`${response.url}/attendance` !== url) return false
    settleTap(url, tap)
    return true
  }
  if (![403, 404, 409, 410, 422].includes(response.status)) throw new Error(String(response.status))
  const page = new DOMParser().parseFromString(await response.text(), "text/html")
  settleTap(
    url,
    tap,
    page.querySelector("main .note.wrong")?.textContent ?? "The change was rejected. Reload the page."
  )
  return true
}

const sendTaps = async (): Promise<void> => {
  clearTimeout(timer)
  if (isSending) return
  isSending = true
  try {
    for (const [url, tap] of taps) {
      if (tap.refusal !== undefined) continue
      if (!await sendTap(url, tap)) return
      failures = 0
    }
  } catch {
    timer = setTimeout(() => void sendTaps(), Math.min(maxRetryMs, firstRetryMs * 2 ** failures++))
  } finally {
    isSending = false
    showAll()
  }
}

const keepFocus = (party: HTMLElement): void => {
  if (document.activeElement?.checkVisibility() === true && document.activeElement !== document.body) return
  const buttons = [...party.querySelectorAll<HTMLButtonElement>("button")]
  buttons.find((button) => !button.disabled && button.checkVisibility())?.focus({ preventScroll: true })
}

/**
 * Ends the session on the server before deleting the saved pages, so that no page is saved afterward. Submitting the
 * form then shows the sign-in page, or an error if there is no network.
 */
const signOut = async (form: HTMLFormElement): Promise<void> => {
  const body = new URLSearchParams()
  const signal = AbortSignal.timeout(signOutMs)
  await fetch(form.action, { method: "POST", body, redirect: "manual", signal }).catch(() => {})
  await deleteSavedPages(dashboardScope).catch(() => {})
  form.submit()
}

const hasUnsent = (): boolean => [...taps.values()].some(({ refusal }) => refusal === undefined)

if (me !== undefined) {
  document.addEventListener("submit", (event) => {
    const { submitter, target } = event
    if (!(target instanceof HTMLFormElement)) return
    if (target.action.endsWith("/sign-out")) {
      const isConfirmed = !hasUnsent() ||
        confirm("Some check-ins have not been sent yet and will be lost. Sign out anyway?")
      event.preventDefault()
      if (!isConfirmed) return
      taps.clear()
      localStorage.removeItem(key)
      return void signOut(target)
    }
    const party = target.closest<HTMLElement>("[data-party]")
    if (party === null || !(submitter instanceof HTMLButtonElement)) return
    event.preventDefault()
    // Delete the earlier tap first, because a map keeps the order of first insertion and the oldest tap is sent first.
    taps.delete(target.action)
    taps.set(target.action, { tap: submitter.value, at: getServerTime() })
    storeTaps()
    showAll()
    keepFocus(party)
    void sendTaps()
  })
  document.addEventListener("click", ({ target }) => {
    const party = target instanceof Element
      ? target.closest("[data-dismiss]")?.closest<HTMLElement>("[data-party]")
      : null
    if (!party) return
    taps.delete(party.querySelector("form")?.action ?? "")
    storeTaps()
    showAll()
    keepFocus(party)
  })
  addEventListener("storage", (event) => {
    if (event.key !== key) return
    taps = loadTaps()
    // Another tab has signed out. A reload removes the guests' names from the screen.
    if (event.newValue === null) location.reload()
    else showAll()
  })
  addEventListener("online", () => void sendTaps())
  const main = document.querySelector("main")
  if (main !== null) new MutationObserver(showAll).observe(main, { subtree: true, childList: true, attributes: true })
  // "No-show" becomes available when the trip starts, even offline.
  setInterval(showAll, 15_000)
  showAll()
  void sendTaps()
}
