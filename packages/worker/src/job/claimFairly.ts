/**
 * Who claims what is longest due would serve one org until it has nothing more
 * waiting. So orgs take turns: one that was served is passed over until a claim
 * finds nobody else.
 */
import * as Effect from "effect/Effect"

interface OfOrg {
  readonly orgId: string
}

/**
 * Claims up to `limit` of what waits, of all orgs but the full ones; it remembers whose turn
 * it was from call to call. While nothing waits but what it claims it asks once.
 *
 * @category claiming
 */
export const claimFairly = <Row extends OfOrg>(
  claim: (limit: number, exceptOrgs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>>
) => {
  const served = new Set<string>()
  const serve = (rows: ReadonlyArray<Row>) => rows.forEach(({ orgId }) => served.add(orgId))
  return (limit: number, full: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Row>> =>
    Effect.gen(function*() {
      const first = yield* claim(limit, [...full, ...served])
      const isOver = first.length < limit && served.size > 0
      if (isOver) served.clear()
      const rows = isOver ? [...first, ...yield* claim(limit - first.length, full)] : first
      // Nobody waits who could be passed over.
      if (rows.length < limit) served.clear()
      else serve(rows)
      return rows
    })
}
