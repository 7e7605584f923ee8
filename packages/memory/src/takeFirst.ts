/** The first `limit` rows that a query wants; the rest is never looked at. */
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
