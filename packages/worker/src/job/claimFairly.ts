/**
 * Makes a claim function fair between orgs. The oldest rows first would serve one org until its backlog is empty. This
 * wrapper skips the orgs that it has served in the current pass. A new pass starts when no other org has rows.
 */
import * as Effect from "effect/Effect"

interface OrgItem {
  readonly orgId: string
}

/**
 * The returned function claims up to `limit` rows and skips the orgs in `full`. It keeps the served orgs between calls.
 * It runs a second query only if the skipped orgs left the claim short.
 */
export const claimFairly = <Row extends OrgItem>(
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
      // A short claim leaves no backlog, so the next pass starts over.
      if (rows.length < limit) served.clear()
      else serve(rows)
      return rows
    })
}
