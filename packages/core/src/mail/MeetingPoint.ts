import type { Offering } from "../offering/Offering.ts"
import { toSingleLine } from "./toSingleLine.ts"

/** The location where guests meet. */
export interface MeetingPoint {
  /** The outfitter's description on one line, or the coordinates if there is no description. */
  readonly words: string
  /** The position in degrees, without an exponent. Undefined if the outfitter gave only a description. */
  readonly position: { readonly lat: string; readonly lon: string } | undefined
}

/** Returns the meeting point for an offering, or undefined if no meeting point is set. */
export const toMeetingPoint = (
  { lat, location, lon }: Pick<Offering, "location" | "lat" | "lon">
): MeetingPoint | undefined => {
  const position = lat === null || lon === null ? undefined : { lat: degrees(lat), lon: degrees(lon) }
  const words = toSingleLine(location)
  if (words !== "") return { words, position }
  return position === undefined ? undefined : { words: `${position.lat}, ${position.lon}`, position }
}

export const mapOrigin = "https://www.openstreetmap.org/"

/**
 * Returns the URL of a map with a marker. The map opens on any device and needs no account. Returns undefined if there
 * are no coordinates. A search for the description could find the wrong location, which is worse for a guest than no
 * map.
 */
export const getMapUrl = (point: MeetingPoint | undefined): string | undefined =>
  point?.position &&
  `${mapOrigin}?mlat=${point.position.lat}&mlon=${point.position.lon}` +
    `#map=17/${point.position.lat}/${point.position.lon}`

// Formats a coordinate with six decimals, a precision of about 10 cm. A number with six decimals is printed without an
// exponent.
const degrees = (value: number): string => String(Number(value.toFixed(6)))
