// Moves empty departures in the calendar with the mouse or the keyboard, changes their seats with the keyboard, and
// saves each change through the departure's form. Touch only scrolls the page. Listeners are attached to the document,
// because a refresh can replace any element on the page.
import {
  type CalendarPosition,
  formatTime,
  movePositionByKey,
  parsePosition,
  snapToStep,
  stepMinutes
} from "./parts/calendarPosition.ts"

interface Move {
  readonly link: HTMLAnchorElement
  /** The departure's original text, which the new time replaces during the move. */
  readonly text: string
  readonly from: CalendarPosition
  to: CalendarPosition
}

/** A mouse press on a departure, which turns into a drag once the mouse moves. */
interface Press {
  readonly link: HTMLAnchorElement
  readonly x: number
  readonly y: number
  readonly top: number
  isDrag: boolean
}

const dragPixels = 5
const timeoutMs = 30_000

/** The content security policy forbids inline styles, but allows stylesheets constructed by a script. */
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets.push(sheet)

let move: Move | undefined
let press: Press | undefined
/** Whether a new position is being sent. No departure can be moved until the response arrives. */
let isSending = false
/** Undoes the last saved move. */
let undoLast: (() => void) | undefined
/** Whether the click that follows a drag is still to come. It must not open the departure. */
let isDropped = false

const findMovable = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-at]") : null

const findColumns = (): ReadonlyArray<HTMLElement> => [...document.querySelectorAll<HTMLElement>(".column[data-date]")]

const dateOf = ({ dataset }: HTMLElement): string => dataset["date"] ?? ""

const lineOf = (link: HTMLElement): Element => link.querySelector("span") ?? link

const readGridData = (): DOMStringMap => document.querySelector<HTMLElement>(".week .grid")?.dataset ?? {}

/** Returns the visible hours in minutes, and the height of a minute in pixels. */
const measureGrid = () => {
  const [first, last] = [Number(readGridData()["first"]) * 60, Number(readGridData()["last"]) * 60]
  return { first, last, pixels: (findColumns()[0]?.clientHeight ?? 0) / (last - first) }
}

const timeText = (place: CalendarPosition): string => {
  const { hour12, locale } = readGridData()
  const clock = hour12 === undefined ? {} : { hour12: true }
  return new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone: "UTC", ...clock })
    .format(new Date(`${place.date}T${formatTime(place)}Z`))
}

const placeText = (place: CalendarPosition): string => {
  const day = findColumns().find((column) => dateOf(column) === place.date)?.closest("section")?.ariaLabel
  return `${day ?? place.date}, ${timeText(place)}, ${place.seats} ${place.seats === 1 ? "seat" : "seats"}`
}

/** Shows text in the live region, with a button if the change can be undone. */
const announce = (text: string, { isWrong = false, undo }: { isWrong?: boolean; undo?: () => void } = {}): void => {
  const status = document.querySelector(".toast output")
  const button = document.querySelector<HTMLButtonElement>(".toast button")
  if (status === null || button === null) return
  status.parentElement?.classList.toggle("wrong", isWrong)
  status.textContent = text
  button.hidden = undo === undefined
  undoLast = undo
}

const startMove = (link: HTMLAnchorElement): Move => {
  const from = parsePosition(link.dataset["at"] ?? "", Number(link.dataset["seats"]))
  // A page refresh must not change the departure while it is being moved.
  link.dataset["keep"] = ""
  link.classList.add("moving")
  return move = { link, from, to: from, text: lineOf(link).textContent ?? "" }
}

const showMove = ({ from, link, to }: Move): void => {
  const { first, last, pixels } = measureGrid()
  const leftEdgeOf = (date: string) =>
    findColumns().find((one) => dateOf(one) === date)?.getBoundingClientRect().left ?? 0
  const minute = Math.min(Math.max(to.minute, first), last - stepMinutes)
  const offset = `${leftEdgeOf(to.date) - leftEdgeOf(from.date)}px ${(minute - from.minute) * pixels}px`
  sheet.replaceSync(`#${link.id}.moving { translate: ${offset} }`)
  lineOf(link).textContent = `${timeText(to)} · 0 of ${to.seats}`
  announce(`${placeText(to)}. ${press === undefined ? "Press Enter to save or Escape to cancel." : ""}`.trim())
}

const endMove = ({ link }: Move): void => {
  delete link.dataset["keep"]
  move = undefined
}

/** Returns the departure to its original position. */
const cancelMove = (move: Move): void => {
  endMove(move)
  move.link.classList.remove("moving")
  lineOf(move.link).textContent = move.text
}

/** Sends the new position. Returns the reason if the server refused it, or undefined otherwise. */
const sendMove = async (url: string, from: CalendarPosition, to: CalendarPosition): Promise<string | undefined> => {
  const body = new URLSearchParams()
  if (to.date !== from.date || to.minute !== from.minute) body.set("starts_at", `${to.date}T${formatTime(to)}`)
  if (to.seats !== from.seats) body.set("capacity", String(to.seats))
  isSending = true
  dispatchEvent(new Event("trailbook:send"))
  try {
    const response = await fetch(`${url}/edit`, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) })
    // After a sign-out, the server redirects to another page.
    if (response.redirected) return response.url.startsWith(url) ? undefined : "You are signed out. Reload the page."
    const page = new DOMParser().parseFromString(await response.text(), "text/html")
    return page.querySelector("main .note.wrong")?.textContent ?? "The change was rejected. Reload the page."
  } catch {
    return "Not saved because there is no connection. Try again."
  } finally {
    isSending = false
    dispatchEvent(new Event("trailbook:sent"))
  }
}

const saveMove = async (move: Move): Promise<void> => {
  const { from, link, to } = move
  const { href } = link
  const refusal = await sendMove(href, from, to)
  if (refusal !== undefined) {
    cancelMove(move)
    return announce(refusal, { isWrong: true })
  }
  // The page refresh renders the departure in its new position, where it can be moved again.
  delete link.dataset["at"]
  endMove(move)
  announce(
    `Saved: ${placeText(to)}.`,
    to.seats === from.seats
      ? {
        undo: async () => {
          const undoRefusal = await sendMove(href, to, from)
          announce(undoRefusal ?? `Moved back: ${placeText(from)}.`, { isWrong: undoRefusal !== undefined })
        }
      }
      : {}
  )
}

document.addEventListener("keydown", (event) => {
  if (isSending || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === "Escape" && move !== undefined) {
    event.preventDefault()
    cancelMove(move)
    return announce("Not moved.")
  }
  const link = findMovable(event.target)
  if (link === null || press?.isDrag === true) return
  if (event.key === "Enter") {
    if (move === undefined) return
    event.preventDefault()
    return void saveMove(move)
  }
  const from = move?.to ?? parsePosition(link.dataset["at"] ?? "", Number(link.dataset["seats"]))
  const to = movePositionByKey(event.key, from, findColumns().map(dateOf))
  if (to === undefined) return
  event.preventDefault()
  const moving = move ?? startMove(link)
  moving.to = to
  showMove(moving)
})

document.addEventListener("focusout", () => {
  if (move === undefined || isSending || press !== undefined) return
  cancelMove(move)
  announce("Not moved.")
})

document.addEventListener("pointerdown", ({ button, clientX: x, clientY: y, pointerType, target }) => {
  const link = findMovable(target)
  if (link === null || isSending || button !== 0 || pointerType !== "mouse") return
  if (move !== undefined) cancelMove(move)
  press = { link, x, y, top: link.closest(".column")?.getBoundingClientRect().top ?? 0, isDrag: false }
})

document.addEventListener("pointermove", ({ clientX: x, clientY: y, pointerId }) => {
  if (press === undefined) return
  if (!press.isDrag) {
    if (Math.hypot(x - press.x, y - press.y) < dragPixels) return
    press.isDrag = true
    press.link.setPointerCapture(pointerId)
    startMove(press.link)
  }
  if (move === undefined) return
  const column = findColumns().find((one) => {
    const { left, right } = one.getBoundingClientRect()
    return left <= x && x < right
  })
  // The page may have scrolled during the drag, so read the column's position again.
  const top = move.link.closest(".column")?.getBoundingClientRect().top ?? 0
  const minute = move.from.minute + (y - top - press.y + press.top) / measureGrid().pixels
  move.to = { ...move.from, minute: snapToStep(minute), date: column === undefined ? move.to.date : dateOf(column) }
  showMove(move)
})

document.addEventListener("pointerup", () => {
  isDropped = press?.isDrag === true
  setTimeout(() => isDropped = false)
  press = undefined
  if (!isDropped || move === undefined) return
  if (move.to.date !== move.from.date || move.to.minute !== snapToStep(move.from.minute)) return void saveMove(move)
  cancelMove(move)
  announce("Not moved.")
})

document.addEventListener("pointercancel", () => {
  press = undefined
  if (move !== undefined && !isSending) cancelMove(move)
})

document.addEventListener("click", (event) => {
  if (isDropped) event.preventDefault()
  else if (event.target instanceof Element && event.target.closest(".toast button") !== null) undoLast?.()
}, true)

// Otherwise, the browser would start dragging the link itself.
document.addEventListener("dragstart", (event) => {
  if (findMovable(event.target) !== null) event.preventDefault()
})
