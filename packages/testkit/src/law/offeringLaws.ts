import { kinds, type Offering } from "@trailbook/core/offering/Offering"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert } from "vitest"
import { offering } from "../generator/offering.ts"
import { orgData } from "../generator/orgData.ts"
import { oldestFirst, sameRows } from "./compare.ts"
import { lawForAll } from "./lawForAll.ts"
import { lawsAbout } from "./lawsAbout.ts"
import { creationPosition, readAllPages } from "./readAllPages.ts"
import { newId, openOrg, seedOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

const offerings = FastCheck.uniqueArray(offering, { maxLength: 12, selector: ({ id }) => id })

/** Stores offerings in one org, and others with the same IDs in another. */
const storeOfferings = (rows: ReadonlyArray<Offering>) =>
  Effect.gen(function*() {
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([openOrg, openOrg])
    const kept = rows.map((row) => ({ ...row, orgId }))
    yield* Store.offerings.put(kept)
    yield* Store.offerings.put(rows.map((row) => ({ ...row, orgId: twinId, deletedAt: null, name: "Twin" })))
    return { orgId, kept }
  })

const ofOfferings = lawsAbout(storeOfferings)

export const offeringLaws = [
  ofOfferings(
    "offerings/find",
    "returns each complete offering, including deleted ones, exactly once and only to its own org",
    FastCheck.tuple(offerings),
    function*({ kept, orgId }) {
      const keys = [...kept, { orgId, id: newId() }, { orgId: newId(), id: kept[0]?.id ?? newId() }]
      sameRows(yield* Store.offerings.find(keys), kept)
      sameRows(yield* Store.offerings.lock(keys.toReversed()), kept)
    }
  ),

  lawForAll(
    "offerings/put",
    "replaces an offering and its hours when it is stored again",
    FastCheck.tuple(orgData(0), offering),
    function*([org, changed]) {
      const { offerings: [first, ...others] } = yield* seedOrg(org)
      if (first === undefined) return
      const after = { ...changed, id: first.id, orgId: first.orgId }
      yield* Store.offerings.put([after])
      sameRows(yield* Store.offerings.find([first, ...others]), [after, ...others])
    }
  ),

  ofOfferings(
    "offerings/list",
    "lists offerings that are not deleted, optionally of one kind, in order of creation and ID",
    FastCheck.tuple(offerings, FastCheck.option(FastCheck.constantFrom(...kinds))),
    function*({ kept, orgId }, kind) {
      const found = yield* Store.offerings.list({ orgId, kind: kind ?? undefined, limit: 1000 })
      const expected = kept.filter((row) => row.deletedAt === null && (kind === null || row.kind === kind))
      assert.deepStrictEqual(found, oldestFirst(expected))
    }
  ),

  ofOfferings(
    "offerings/pages",
    "returns every offering of the list exactly once for any page size",
    FastCheck.tuple(offerings, FastCheck.integer({ min: 1, max: 13 })),
    function*({ orgId }, limit) {
      const whole = yield* Store.offerings.list({ orgId, limit: 1000 })
      const pages = yield* readAllPages(
        limit,
        (after) => Store.offerings.list({ orgId, after, limit }),
        creationPosition
      )
      assert.deepStrictEqual(pages, whole)
    }
  )
]
