/**
 * A departure's position in the calendar, and its seats. Like the departure's form, it holds the local time, which
 * therefore stays the same when a move crosses a clock change.
 */
export interface CalendarPosition {
  readonly date: string
  /** Local minutes since midnight. */
  readonly minute: number
  readonly seats: number
}

export const stepMinutes = 15
const lastMinute = 24 * 60 - stepMinutes
const maxSeats = 10_000

/** Rounds a time to the nearest step within the day. */
export const snapToStep = (minute: number): number =>
  Math.min(lastMinute, Math.max(0, Math.round(minute / stepMinutes) * stepMinutes))

/** Parses the value of a `datetime-local` field. */
export const parsePosition = (text: string, seats: number): CalendarPosition => {
  const [date = "", time = ""] = text.split("T")
  const [hour = 0, minute = 0] = time.split(":").map(Number)
  return { date, minute: hour * 60 + minute, seats }
}

/** Formats the time of a position, such as `09:15`. */
export const formatTime = ({ minute }: Pick<CalendarPosition, "minute">): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`

/**
 * Returns the position after a key press, or undefined if the key does not move a departure. From a time between two
 * steps, moves to the next step in that direction. The position always stays within the day and the shown dates.
 */
export const movePositionByKey = (
  key: string,
  place: CalendarPosition,
  dates: ReadonlyArray<string>
): CalendarPosition | undefined => {
  const { date, minute, seats } = place
  const toDate = (by: number) => ({ ...place, date: dates[dates.indexOf(date) + by] ?? date })
  switch (key) {
    case "ArrowUp":
      return { ...place, minute: Math.max(0, (Math.ceil(minute / stepMinutes) - 1) * stepMinutes) }
    case "ArrowDown":
      return { ...place, minute: Math.max(minute, snapToStep((Math.floor(minute / stepMinutes) + 1) * stepMinutes)) }
    case "ArrowLeft":
      return dates.length > 1 ? toDate(-1) : undefined
    case "ArrowRight":
      return dates.length > 1 ? toDate(1) : undefined
    case "+":
    case "=":
      return { ...place, seats: Math.min(maxSeats, seats + 1) }
    case "-":
      return { ...place, seats: Math.max(1, seats - 1) }
    default:
      return undefined
  }
}
