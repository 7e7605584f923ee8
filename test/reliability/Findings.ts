/** The problems found by an audit, as sentences. All lists are empty if the run was correct. */
export interface Findings {
  /** Acknowledged bookings that are missing or differ from the response. */
  readonly lost: ReadonlyArray<string>
  /** Sales beyond capacity, and orders with more than one booking. */
  readonly double: ReadonlyArray<string>
  /** Events that a follower missed, or received twice, out of order, or with different content. */
  readonly holes: ReadonlyArray<string>
  /** Bookings without an acknowledged order, orders without a response, and violated storage invariants. */
  readonly others: ReadonlyArray<string>
}

export const noFindings: Findings = { lost: [], double: [], holes: [], others: [] }

export const isNone = ({ double, holes, lost, others }: Findings): boolean =>
  lost.length + double.length + holes.length + others.length === 0

export const joinFindings = (a: Findings, b: Findings): Findings => ({
  lost: either(a.lost, b.lost),
  double: either(a.double, b.double),
  holes: either(a.holes, b.holes),
  others: either(a.others, b.others)
})

/** Merges two lists without duplicates, because each check of a season repeats earlier findings. */
const either = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set([...a, ...b])]
