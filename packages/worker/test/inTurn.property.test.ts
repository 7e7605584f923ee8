import { assert, it } from "@effect/vitest"
import { makeFairClaim } from "@trailbook/worker/job/taskJob"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"

interface Row {
  readonly orgId: string
  readonly at: number
}

/** Returns a queue of rows in due order, and a function that claims them. */
const queueOf = (orgs: ReadonlyArray<number>) => {
  const rows = orgs.map((org, at): Row => ({ orgId: `o${org}`, at }))
  let claimCount = 0
  const claim = (limit: number, exceptOrgs: ReadonlyArray<string>) =>
    Effect.sync(() => {
      claimCount++
      const batch = rows.filter(({ orgId }) => !exceptOrgs.includes(orgId)).slice(0, limit)
      for (const row of batch) rows.splice(rows.indexOf(row), 1)
      return batch
    })
  return { rows, claim, claimCount: () => claimCount }
}

const cases = FastCheck.record({
  orgs: FastCheck.array(FastCheck.nat({ max: 4 }), { maxLength: 60 }),
  limit: FastCheck.integer({ min: 1, max: 8 })
})

/** Returns the maximum number of claims that any org had to wait for. */
const longestWait = (
  { limit, orgs }: { readonly orgs: ReadonlyArray<number>; readonly limit: number },
  wrap: typeof makeFairClaim
) => {
  const { claim, rows } = queueOf(orgs)
  const claimInTurn = wrap(claim)
  const waits = new Map(rows.map(({ orgId }) => [orgId, 0]))
  let longest = 0
  while (rows.length > 0) {
    const servedOrgs = new Set(Effect.runSync(claimInTurn(limit, [])).map(({ orgId }) => orgId))
    for (const [orgId, wait] of waits) {
      const isWaiting = rows.some((row) => row.orgId === orgId)
      const now = servedOrgs.has(orgId) ? 0 : wait + 1
      waits.set(orgId, isWaiting ? now : 0)
      longest = Math.max(longest, isWaiting ? now : 0)
    }
  }
  return longest
}

it("claimFairly serves a waiting org within 2n claims if n orgs have work", () => {
  FastCheck.assert(FastCheck.property(cases, (queue) => {
    assert.isAtMost(longestWait(queue, makeFairClaim), 2 * new Set(queue.orgs).size)
  }))
})

it("control: without claimFairly, an org waits for another org's entire backlog", () => {
  const queue = { orgs: [...Array.from({ length: 50 }, () => 1), 2], limit: 2 }
  assert.isBelow(longestWait(queue, makeFairClaim), 3)
  assert.isAbove(longestWait(queue, (claim) => (limit) => claim(limit, [])), 20)
})

it("claimFairly claims all rows, and fills each claim up to the limit", () => {
  FastCheck.assert(FastCheck.property(cases, ({ limit, orgs }) => {
    const { claim, rows } = queueOf(orgs)
    const claimInTurn = makeFairClaim(claim)
    const claimedRows: Array<Row> = []
    for (let remaining = orgs.length; remaining > 0; remaining -= limit) {
      const some = Effect.runSync(claimInTurn(limit, []))
      assert.lengthOf(some, Math.min(limit, remaining))
      claimedRows.push(...some)
    }
    assert.lengthOf(rows, 0)
    assert.strictEqual(new Set(claimedRows).size, orgs.length)
  }))
})

it("claimFairly skips the orgs that the caller excludes", () => {
  FastCheck.assert(FastCheck.property(cases, ({ limit, orgs }) => {
    const { claim } = queueOf(orgs)
    const claimInTurn = makeFairClaim(claim)
    for (let n = 0; n < 5; n++) {
      assert.notInclude(Effect.runSync(claimInTurn(limit, ["o1"])).map(({ orgId }) => orgId), "o1")
    }
  }))
})

it("claimFairly runs one query per claim if it skips no org", () => {
  const { claimCount, claim } = queueOf([1, 2, 1])
  const claimInTurn = makeFairClaim(claim)
  for (const count of [3, 0, 0]) assert.lengthOf(Effect.runSync(claimInTurn(16, [])), count)
  assert.strictEqual(claimCount(), 3)
})
