import type { Offering } from "../offering/Offering.ts"
import { toSingleLine } from "./sanitizeHeader.ts"

/**
 * Where guests go to be met.
 *
 * @category models
 */
export interface MeetingPoint {
  /** The outfitter's words, on one line; the coordinates where there are none. */
  readonly words: string
  /** In degrees, written without an exponent. Words alone have none. */
  readonly position: { readonly lat: string; readonly lon: string } | undefined
}

/**
 * The meeting point of an offering, or `undefined` where the outfitter has said
 * nothing.
 *
 * @category converting
 */
export const toMeetingPoint = (
  { lat, location, lon }: Pick<Offering, "location" | "lat" | "lon">
): MeetingPoint | undefined => {
  const position = lat === null || lon === null ? undefined : { lat: degrees(lat), lon: degrees(lon) }
  const words = toSingleLine(location)
  if (words !== "") return { words, position }
  return position === undefined ? undefined : { words: `${position.lat}, ${position.lon}`, position }
}

/**
 * A map with a mark at the meeting point, which opens without an account on any
 * machine. Words alone get none: where a search for them leads is anybody's guess,
 * and a guest at the wrong bridge is worse off than one who asks.
 *
 * @category converting
 */
export const mapUrl = (point: MeetingPoint | undefined): string | undefined =>
  point?.position &&
  `https://www.openstreetmap.org/?mlat=${point.position.lat}&mlon=${point.position.lon}` +
    `#map=17/${point.position.lat}/${point.position.lon}`

// Six decimals are a hand's breadth; a number rounded to them prints without an exponent.
const degrees = (value: number): string => String(Number(value.toFixed(6)))
