/**
 * Makes a claim function fair between orgs. Claiming the oldest rows first would serve a single org until its backlog
 * is empty, so this wrapper skips orgs that it has already served in the current pass. A new pass starts when no
 * unserved org has rows.
 */
import * as Effect from "effect/Effect"

interface OrgItem {
  readonly orgId: string
}

/**
 * Returns a function that claims up to `limit` rows and skips the orgs in `full`. The function remembers the served
 * orgs between calls. It runs a second query only if skipping those orgs left the claim short.
 */
export const claimFairly = <Row extends OrgItem>(
  claim: (limit: number, exceptOrgs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>>
) => {
  const servedOrgs = new Set<string>()
  const serve = (rows: ReadonlyArray<Row>) => rows.forEach(({ orgId }) => servedOrgs.add(orgId))
  return (limit: number, full: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Row>> =>
    Effect.gen(function*() {
      const first = yield* claim(limit, [...full, ...servedOrgs])
      const isOver = first.length < limit && servedOrgs.size > 0
      if (isOver) servedOrgs.clear()
      const rows = isOver ? [...first, ...yield* claim(limit - first.length, full)] : first
      // A short claim leaves no backlog, so the next pass starts over.
      if (rows.length < limit) servedOrgs.clear()
      else serve(rows)
      return rows
    })
}
