/**
 * Which events an endpoint gets, in few words: `all`, the one, or how many.
 *
 * @category formatting
 */
export const eventWords = (events: ReadonlyArray<string>): string => {
  if (events.includes("*")) return "all"
  const [only] = events
  return events.length === 1 && only !== undefined ? only : `${events.length} types`
}
