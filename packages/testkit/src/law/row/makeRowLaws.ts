/**
 * Derives the laws of an entity. Each law keeps a list of the rows that the storage should contain, and compares every
 * read with that list after each step, in two orgs.
 */
import type { Storage } from "@trailbook/core/storage"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { type Law, law, lawForAll } from "../Law.ts"
import { assertDies, assertFindsNothing } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"
import { type Contents, type Entity, getOrgId, type UniqueKey } from "./Entity.ts"

/** Asserts that a transaction with this write dies, and that its earlier writes are rolled back. */
export const expectRejected = (write: Effect.Effect<unknown, never, Storage>): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    const id = newId()
    const writeOrg = Effect.flatMap(createEmptyOrg, (org) => Store.orgs.put({ ...org, id, slug: id }))
    yield* assertDies(Store.run(Effect.zipRight(writeOrg, write)), "the row was stored")
    yield* assertFindsNothing(Store.orgs.find(id))
  })

const identifyDefault = <Row extends object>(row: Row, orgId: string, id: string): Row => ({ ...row, orgId, id })

const isSameKey = <Row>({ toFields }: UniqueKey<Row>, a: Row, b: Row): boolean => {
  const fields = toFields(a)
  return fields !== undefined && JSON.stringify(fields) === JSON.stringify(toFields(b))
}

const seedReferences = <Row extends object>({ seedReferences }: Entity<Row>, orgId: string, id: string) =>
  seedReferences?.(orgId, id) ?? Effect.succeed<Partial<Row>>({})

/** Stores rows in two orgs. Rows at the same position have the same ID if it belongs to the org. */
const storeRows = <Row extends object>(entity: Entity<Row>, pairs: ReadonlyArray<readonly [Row, Row]>) =>
  Effect.gen(function*() {
    const { identify = identifyDefault, idScope = "org", put, uniqueKeys = [] } = entity
    const orgs = [(yield* createEmptyOrg).id, (yield* createEmptyOrg).id] as const
    const referenceIds = [newId(), newId()]
    const ids = pairs.map(() => newId())
    const rows: Array<Row> = []
    for (const orgId of orgs) {
      const isFirstOrg = orgId === orgs[0]
      const references = yield* Effect.forEach(referenceIds, (id) => seedReferences(entity, orgId, id))
      const candidates = pairs.map(([row, otherRow], index) => ({
        ...identify(
          isFirstOrg ? row : otherRow,
          orgId,
          isFirstOrg || idScope === "org" ? ids[index] ?? "" : newId(),
          index
        ),
        ...references[index % 2]
      }))
      const orgRows = candidates.filter((row, index) =>
        candidates.slice(0, index).every((other) => !uniqueKeys.some((key) => isSameKey(key, row, other)))
      )
      yield* put(orgRows)
      rows.push(...orgRows)
    }
    return { orgs, rows, firstId: ids[0] ?? "" }
  })

const checkReads = <Row extends object>({ locks, reads }: Entity<Row>, contents: Contents<Row>) =>
  Effect.forEach(Object.entries({ ...reads, ...locks }), ([name, { check }]) => check(contents, name), {
    discard: true
  })

/** Returns two rows of an org that have every unique key if possible. They are the same in every run. */
const makeSamples = <Row extends object>(entity: Entity<Row>, orgId: string) =>
  Effect.map(seedReferences(entity, orgId, newId()), (references) => {
    const { identify = identifyDefault, row, uniqueKeys = [] } = entity
    const samples = FastCheck.sample(row, { numRuns: 20, seed: 1 }).map((sample, index) => ({
      ...identify(sample, orgId, newId(), index),
      ...references
    }))
    const hasAllKeys = (sample: Row) => uniqueKeys.every(({ toFields }) => toFields(sample) !== undefined)
    const [first, second] = [...samples.filter(hasAllKeys), ...samples.filter((sample) => !hasAllKeys(sample))]
    if (first === undefined || second === undefined) throw new Error("Invariant violated: no samples")
    return [first, second] as const
  })

const toPlural = (name: string): string => `${name.replace(/^an? /, "").replace(/(?<![aeo])y$/, "ie")}s`

const joinWithOr = (parts: ReadonlyArray<string>): string =>
  parts.length < 3 ? parts.join(" or ") : `${parts.slice(0, -1).join(", ")}, or ${parts.at(-1)}`

const makePutLaw = <Row extends object>(
  entity: Entity<Row>,
  fixedFields: (row: Row) => Partial<Row>
): Law => {
  const { identify = identifyDefault, key, name, put, uniqueKeys = [] } = entity
  const changingKeys = uniqueKeys.filter(({ isFixed }) => isFixed !== true)
  const freedKeys = changingKeys.map((uniqueKey) => `, and frees its previous ${uniqueKey.name}`)
  return lawForAll(
    `${key}/put`,
    `replaces ${name} when it is stored again${freedKeys.join("")}`,
    FastCheck.tuple(
      FastCheck.array(FastCheck.tuple(entity.row, entity.row), { minLength: 1, maxLength: 6 }),
      entity.row
    ),
    function*([pairs, next]) {
      const { firstId, orgs, rows } = yield* storeRows(entity, pairs)
      const [first, ...others] = rows
      if (first === undefined) return
      const replacement = { ...identify(next, orgs[0], firstId, 0), ...fixedFields(first) }
      const hasSameKey = (row: Row) =>
        getOrgId(row) !== orgs[1] && uniqueKeys.some((uniqueKey) => isSameKey(uniqueKey, row, replacement))
      if (others.some(hasSameKey)) return
      yield* put([replacement])
      yield* checkReads(entity, { orgs, rows: [replacement, ...others], previousRows: [first] })
      const keyFields = changingKeys.flatMap((uniqueKey) =>
        isSameKey(uniqueKey, first, replacement) ? [] : uniqueKey.toFields(first) ?? []
      )
      if (keyFields.length === 0) return
      const successor: Row = Object.assign(identify(first, orgs[0], newId(), 0), ...keyFields)
      yield* put([successor])
      yield* checkReads(entity, { orgs, rows: [replacement, ...others, successor] })
    }
  )
}

const makeConstraintLaws = <Row extends object>(entity: Entity<Row>): ReadonlyArray<Law> => {
  const { key, name, put, references = ["orgId"] } = entity
  const uniqueKeys = entity.uniqueKeys?.filter(({ rejectedIn }) => rejectedIn !== "nowhere") ?? []
  const violations = [
    ...references.map((field) => `an unknown ${field.replace("Id", "")}`),
    ...uniqueKeys.map((uniqueKey) => uniqueKey.violation ?? `a duplicate ${uniqueKey.name}`)
  ]
  return violations.length === 0 ? [] : [
    law(`constraints/${key}`, `rejects ${name} with ${joinWithOr(violations)}`, function*() {
      const [{ id: orgId }, { id: otherId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      const [row, secondRow] = yield* makeSamples(entity, orgId)
      const [otherRow] = yield* makeSamples(entity, otherId)
      for (const field of references) yield* expectRejected(put([{ ...row, [field]: newId() }]))
      if (references.length > 1) yield* expectRejected(put([{ ...row, orgId: otherId }]))
      yield* put([row])
      for (const { rejectedIn, toFields } of uniqueKeys) {
        if (rejectedIn !== "other-orgs") yield* expectRejected(put([{ ...secondRow, ...toFields(row) }]))
        const putInOtherOrg = put([{ ...otherRow, ...toFields(row) }])
        yield* rejectedIn === "org" ? putInOtherOrg : expectRejected(putInOtherOrg)
      }
    })
  ]
}

const fibers = 8

export const makeRowLaws = <Row extends object>(entity: Entity<Row>): ReadonlyArray<Law> => {
  const { changes = {}, fixedFields = () => ({}), identify = identifyDefault, key, locks = {}, name, put, reads } =
    entity
  const pair = FastCheck.tuple(entity.row, entity.row)
  const readNames = Object.keys({ ...reads, ...locks }).join(", ")
  return [
    lawForAll(
      `${key}/rows`,
      `returns exactly the stored ${toPlural(name)} from every read (${readNames})`,
      FastCheck.array(pair, { maxLength: 6 }),
      (pairs) => Effect.flatMap(storeRows(entity, pairs), (contents) => checkReads(entity, contents))
    ),

    ...(fixedFields === null ? [] : [makePutLaw(entity, fixedFields)]),

    ...Object.entries(changes).map(([changeName, { step, title }]) =>
      lawForAll(
        `${key}/${changeName}`,
        title,
        FastCheck.tuple(FastCheck.array(pair, { minLength: 1, maxLength: 6 }), step),
        function*([pairs, { apply, toResult, update }]) {
          const { orgs, rows: previousRows } = yield* storeRows(entity, pairs)
          const [first, second = first, third = second] = previousRows.filter((row) => getOrgId(row) !== orgs[1])
          if (first === undefined || second === undefined || third === undefined) return
          // A row, the ID of a row with another org, an unknown ID, and the first row again.
          const targets = [first, { ...second, orgId: orgs[1] }, identify(third, orgs[0], newId(), 99), first]
          let rows = previousRows
          for (const target of targets) {
            const result = yield* apply(target)
            if (toResult !== undefined) assert.deepStrictEqual(result, toResult(rows, target))
            rows = rows.flatMap((row) => {
              const fields = update(row, target)
              return fields === null ? [] : [{ ...row, ...fields }]
            })
            yield* checkReads(entity, { orgs, rows, previousRows })
          }
        }
      )
    ),

    ...makeConstraintLaws(entity),

    ...Object.values(locks).map(({ findOne, increment, lawKey, lockedValue }) =>
      law(lawKey, `keeps ${name} unchanged while ${lockedValue} is locked`, function*() {
        const [row] = yield* makeSamples(entity, (yield* createEmptyOrg).id)
        yield* put([row])
        const incrementRow = Store.run(Effect.gen(function*() {
          const found = yield* findOne(row)
          if (found === undefined) return assert.fail("the row was not found")
          yield* Effect.yieldNow()
          yield* put([increment(found)])
        }))
        yield* Effect.all(Array.from({ length: fibers }, () => incrementRow), {
          concurrency: "unbounded",
          discard: true
        })
        const expected = Array.from({ length: fibers }).reduce<Row>(increment, row)
        assert.deepStrictEqual(yield* Store.run(findOne(row)), expected, "updates were lost")
      })
    )
  ]
}
