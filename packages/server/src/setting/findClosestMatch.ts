/**
 * Returns the name with the smallest edit distance to `input`, for "Did you mean" hints. The distance can be at most a
 * third of the length of `input`, but a distance of 1 is always allowed.
 */
export const findClosestMatch = (input: string, names: Iterable<string>): string | undefined => {
  let best: string | undefined
  let fewest = Math.max(1, Math.floor(input.length / 3)) + 1
  for (const name of names) {
    const edits = distance(input.toLowerCase(), name.toLowerCase())
    if (edits < fewest) {
      fewest = edits
      best = name
    }
  }
  return best
}

/** Returns the Damerau-Levenshtein distance (optimal string alignment). Keeps only three rows in memory. */
const distance = (a: string, b: string): number => {
  let beforeLast: Array<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaceCost = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapCost = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(beforeLast, j - 2) + 1 : Infinity
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaceCost, swapCost))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Infinity
