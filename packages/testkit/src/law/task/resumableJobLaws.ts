import { jobSubjects, type ResumableJob } from "@trailbook/core/job"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment } from "../../generator/moment.ts"
import { lawForAll, type LawSteps, toEffect } from "../Law.ts"
import { createEmptyOrg } from "../seedOrg.ts"
import * as Store from "../Store.ts"

/** The range of IDs is small, so that rows differ only by org or by subject. */
const row: FastCheck.Arbitrary<Omit<ResumableJob, "orgId">> = FastCheck.record({
  subject: FastCheck.constantFrom(...jobSubjects),
  id: FastCheck.constantFrom("a", "b"),
  begunAt: moment,
  touchedAt: moment,
  cancelled: FastCheck.nat({ max: 50_000 }),
  refunded: FastCheck.nat({ max: 50_000 })
})

const toName = ({ id, orgId, subject }: ResumableJob): string => `${orgId} ${subject} ${id}`

const orgRows = FastCheck.uniqueArray(row, { maxLength: 6, selector: ({ id, subject }) => `${subject} ${id}` })

const rows = FastCheck.tuple(orgRows, orgRows)

/** Stores rows in two orgs and removes them after the case, because other laws read all orgs. */
const storeJobs = (
  [one, other]: readonly [ReadonlyArray<Omit<ResumableJob, "orgId">>, ReadonlyArray<Omit<ResumableJob, "orgId">>],
  work: (rows: ReadonlyArray<ResumableJob>) => LawSteps
) =>
  Effect.gen(function*() {
    const [{ id }, { id: otherId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    const jobs = [...one.map((row) => ({ ...row, orgId: id })), ...other.map((row) => ({ ...row, orgId: otherId }))]
    yield* Effect.forEach(jobs, Store.resumableJobs.put)
    yield* Effect.ensuring(toEffect(work(jobs)), Effect.forEach(jobs, Store.resumableJobs.remove))
  })

export const resumableJobLaws = [
  lawForAll(
    "unfinished/put",
    "returns unfinished work as it was last stored, with or without a lock, until it is removed",
    FastCheck.tuple(rows, row),
    ([jobs, replacement]) =>
      storeJobs(jobs, function*(storedJobs) {
        const [first] = storedJobs
        if (first === undefined) return
        const replacedJob = { ...replacement, orgId: first.orgId, subject: first.subject, id: first.id }
        yield* Store.resumableJobs.put(replacedJob)
        for (const row of [replacedJob, ...storedJobs.slice(1)]) {
          assert.deepStrictEqual(Option.getOrUndefined(yield* Store.resumableJobs.find(row)), row)
          assert.deepStrictEqual(Option.getOrUndefined(yield* Store.run(Store.resumableJobs.lock(row))), row)
        }
        yield* Store.resumableJobs.remove(first)
        assert.isTrue(Option.isNone(yield* Store.resumableJobs.find(first)))
        assert.isTrue(Option.isNone(yield* Store.run(Store.resumableJobs.lock(first))))
        for (const row of storedJobs.slice(1)) {
          assert.deepStrictEqual(Option.getOrUndefined(yield* Store.resumableJobs.find(row)), row)
        }
      })
  ),

  lawForAll(
    "unfinished/untouched",
    "returns all orgs' unfinished work that has not been touched since a given time, oldest first, up to a limit",
    FastCheck.tuple(rows, moment, FastCheck.integer({ min: 1, max: 5 }), FastCheck.boolean()),
    ([jobs, time, limit, matchesFirst]) =>
      storeJobs(jobs, function*(storedJobs) {
        // The time limit is inclusive.
        const until = matchesFirst ? storedJobs[0]?.touchedAt ?? time : time
        const untouched = storedJobs.filter(({ touchedAt }) => touchedAt <= until)
        const matches = yield* Store.resumableJobs.untouchedSince(until, limit)
        const ages = untouched.map(({ touchedAt }) => touchedAt).sort((a, b) => a - b).slice(0, limit)
        assert.deepStrictEqual(matches.map(({ touchedAt }) => touchedAt), ages)
        assert.strictEqual(new Set(matches.map(toName)).size, matches.length)
        for (const row of matches) assert.deepInclude(untouched, row)
      })
  )
]
