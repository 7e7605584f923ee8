/** Returns the first `limit` matching rows, and stops iterating there. */
export const takeFirst = <Row>(
  rows: Iterable<Row>,
  limit: number,
  wanted: (row: Row) => boolean = () => true
): ReadonlyArray<Row> => {
  const first: Array<Row> = []
  for (const row of rows) {
    if (first.length >= limit) break
    if (wanted(row)) first.push(row)
  }
  return first
}
