/** What is wrong, in words; all empty when nothing is. */
export interface Findings {
  /** Acknowledged, and not there or not as acknowledged. */
  readonly lost: ReadonlyArray<string>
  /** Sold more often than there are places, or twice to one who asked once. */
  readonly double: ReadonlyArray<string>
  /** Events that are missing, doubled, out of order, or not the same for all. */
  readonly holes: ReadonlyArray<string>
  /** Bookings that nobody was told of, orders that nobody answered, and the laws of storage. */
  readonly others: ReadonlyArray<string>
}

export const none: Findings = { lost: [], double: [], holes: [], others: [] }

export const isNone = ({ double, holes, lost, others }: Findings): boolean =>
  lost.length + double.length + holes.length + others.length === 0

export const joined = (a: Findings, b: Findings): Findings => ({
  lost: either(a.lost, b.lost),
  double: either(a.double, b.double),
  holes: either(a.holes, b.holes),
  others: either(a.others, b.others)
})

/** What is found again counts once. */
const either = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set([...a, ...b])]
