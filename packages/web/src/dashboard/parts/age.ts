import type { Format } from "../../text/Format.ts"

/** Formats an age for lists: `now`, `12 min`, `3 h`, or, after a day, `Fri, Nov 20`. */
export const age = ({ day }: Pick<Format, "day">, now: string, at: string): string => {
  const minutes = Math.floor((Date.parse(now) - Date.parse(at)) / 60_000)
  if (minutes < 1) return "now"
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : day(at)
}
