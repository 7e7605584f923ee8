/** Describes how to store, read, and change the rows of one entity. `makeRowLaws` derives its laws. */
import type { OrgKey } from "@trailbook/core/offering"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import type { Position } from "@trailbook/core/wire"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import type { Law } from "../Law.ts"
import { assertFinds, assertSameRows, compareById, readAllPages } from "../rowAssertions.ts"
import { newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

type StorageEffect<A> = Effect.Effect<A, never, Storage>

type Rows<Row> = ReadonlyArray<Row>

type Sort<Row> = (rows: Rows<Row>) => Rows<Row>

export interface Entity<Row extends object> {
  /** The first part of its laws' keys, such as `passkeys`. */
  readonly key: string
  /** The name of a row in the titles of laws, with its article. */
  readonly name: string
  /** Generates rows. `identify` replaces their unique values. */
  readonly row: FastCheck.Arbitrary<Row>
  /** Sets the org, the ID, and all other values that are unique across orgs. Default: sets `orgId` and `id`. */
  readonly identify?: (row: Row, orgId: string, id: string, index: number) => Row
  /** Whether rows of two orgs can have the same ID. Default: `org`, in which case they can. */
  readonly idScope?: "org" | "service"
  /** Stores a row with this ID that an org's rows can reference. Returns the fields that reference it. */
  readonly seedReferences?: (orgId: string, id: string) => StorageEffect<Partial<Row>>
  readonly put: (rows: Rows<Row>) => StorageEffect<unknown>
  /** Returns the fields that must not change when a row is replaced. Null if rows cannot be replaced. */
  readonly fixedFields?: ((row: Row) => Partial<Row>) | null
  readonly reads: Readonly<Record<string, Read<Row>>>
  /** Reads that lock the rows that they return. */
  readonly locks?: Readonly<Record<string, LockingRead<Row>>>
  readonly changes?: Readonly<Record<string, Change<Row>>>
  /** The fields that must reference an existing row of the same org. Default: `orgId`. */
  readonly references?: ReadonlyArray<string>
  readonly uniqueKeys?: ReadonlyArray<UniqueKey<Row>>
}

export interface UniqueKey<Row> {
  readonly name: string
  /**
   * The scope in which a second row with the same key is rejected: in the org, everywhere, only in other orgs, or
   * nowhere. If it is not rejected in the org, it replaces the row.
   */
  readonly rejectedIn: "org" | "service" | "other-orgs" | "nowhere"
  /** Returns the fields that form the key. Undefined if the row has no such key. */
  readonly toFields: (row: Row) => Partial<Row> | undefined
  /** Whether a row keeps the key when it is replaced. */
  readonly isFixed?: boolean
  /** A row with a duplicate key in the title of the law. Default: "a duplicate" and the name. */
  readonly violation?: string
}

/** The rows that a storage should contain for two orgs. */
export interface Contents<Row> {
  readonly orgs: readonly [string, string]
  readonly rows: Rows<Row>
  /** Rows that were replaced or removed. Their keys must not find them. */
  readonly previousRows?: Rows<Row>
}

export interface Read<Row> {
  /** Asserts that the read returns exactly these rows, for existing, previous, and unknown keys. */
  readonly check: (contents: Contents<Row>, name: string) => StorageEffect<void>
}

/** A read that can find a single row. */
interface KeyedRead<Row> extends Read<Row> {
  readonly findOne: (row: Row) => StorageEffect<Row | undefined>
}

export interface LockingRead<Row> extends KeyedRead<Row> {
  readonly lawKey: Law["key"]
  /** The locked value in the title of the law. */
  readonly lockedValue: string
  /** Changes a field of the row. Two increments result in a different row than one. */
  readonly increment: (row: Row) => Row
}

export interface Change<Row> {
  readonly title: string
  readonly step: FastCheck.Arbitrary<ChangeStep<Row>>
}

interface ChangeStep<Row> {
  readonly apply: (target: Row) => StorageEffect<unknown>
  /** Returns the fields of a row that the change sets, or null if the change removes the row. */
  readonly update: (row: Row, target: Row) => Partial<Row> | null
  /** The expected result of `apply`. Default: any. */
  readonly toResult?: ((rows: Rows<Row>, target: Row) => unknown) | undefined
}

/** Describes a change that sets fields, with a generated input. */
export const makeChange = <Row, Input>(
  { apply, input, title, update }: {
    readonly title: string
    readonly input: FastCheck.Arbitrary<Input>
    readonly apply: (target: Row, input: Input) => StorageEffect<unknown>
    readonly update: (row: Row, target: Row, input: Input) => Partial<Row> | null
  }
): Change<Row> => ({
  title,
  step: input.map((value) => ({
    apply: (target) => apply(target, value),
    update: (row, target) => update(row, target, value)
  }))
})

/** Describes a change that removes rows. */
export const makeRemoval = <Row>(
  title: string,
  apply: (target: Row) => StorageEffect<unknown>,
  isRemoved: (row: Row, target: Row) => boolean,
  toResult?: (rows: Rows<Row>, target: Row) => unknown
): Change<Row> => ({
  title,
  step: FastCheck.constant({ apply, update: (row, target) => isRemoved(row, target) ? null : {}, toResult })
})

export const toOrgKey = ({ id, orgId }: OrgKey): OrgKey => ({ orgId, id })

export const isSameRow = (a: OrgKey, b: OrgKey): boolean => a.id === b.id && a.orgId === b.orgId

export const getOrgId = (row: object): unknown => "orgId" in row ? row.orgId : undefined

const toText = (key: unknown): string => JSON.stringify(key)

/** Returns keys that differ from the key in case or in one string field, so that a read must use the complete key. */
const toUnknownKeys = <Key extends string | object>(key: Key): ReadonlyArray<Key> => {
  const original: string | object = key
  const unknownKeys = typeof original === "string"
    ? [newId(), original === original.toUpperCase() ? original.toLowerCase() : original.toUpperCase()]
    : Object.entries(original).flatMap(([field, value]: readonly [string, unknown]) =>
      typeof value === "string" ? [{ ...original, [field]: newId() }] : []
    )
  // Strings are replaced by strings, so each has the type of the key.
  return unknownKeys as ReadonlyArray<string | object> as ReadonlyArray<Key>
}

const assertRows = <Row>(found: Rows<Row>, expected: Rows<Row>, sort: Sort<Row> | undefined, name: string): void =>
  sort === undefined
    ? assertSameRows(found, expected, name)
    : assert.deepStrictEqual(found, sort(expected), name)

/** A read that takes one key and finds at most one row. */
export const readByKey = <Row, Key extends string | object>(
  find: (key: Key) => StorageEffect<Option.Option<Row>>,
  toKey: (row: Row) => Key
): KeyedRead<Row> => ({
  findOne: (row) => Effect.map(find(toKey(row)), Option.getOrUndefined),
  check: ({ previousRows = [], rows }, name) => {
    const rowsByKey = new Map(rows.map((row) => [toText(toKey(row)), row]))
    const keys = [...rows, ...previousRows].map(toKey)
    return Effect.forEach(
      [...keys, ...keys.slice(0, 2).flatMap(toUnknownKeys)],
      (key) => assertFinds(find(key), rowsByKey.get(toText(key)), name),
      { discard: true }
    )
  }
})

/** A read that takes many keys, in any order and with duplicates. Returns each row once, in this order or in any. */
export const readByKeys = <Row extends object, Key extends string | object>(
  find: (keys: ReadonlyArray<Key>) => StorageEffect<Rows<Row>>,
  toKey: (row: Row) => Key,
  { hasKey = () => true, sort }: { readonly hasKey?: (row: Row) => boolean; readonly sort?: Sort<Row> } = {}
): KeyedRead<Row> => ({
  findOne: (row) => Effect.map(find([toKey(row)]), ([first]) => first),
  check: ({ orgs, previousRows = [], rows }, name) => {
    const inputs = [
      ...orgs.map((orgId) => rows.filter((row) => getOrgId(row) === orgId)),
      [...rows, ...previousRows],
      []
    ]
    return Effect.forEach(inputs, (input) => {
      const keys = input.map(toKey)
      const texts = new Set(keys.map(toText))
      const expected = rows.filter((row) => hasKey(row) && texts.has(toText(toKey(row))))
      const unknownKeys = keys.slice(0, 2).flatMap(toUnknownKeys)
      return Effect.map(
        find([...unknownKeys, ...keys.toReversed(), ...keys]),
        (found) => assertRows(found, expected, sort, name)
      )
    }, { discard: true })
  }
})

/** Describes a read that locks rows until the transaction ends. */
export const makeLock = <Row>(
  lawKey: Law["key"],
  { check, findOne }: KeyedRead<Row>,
  increment: (row: Row) => Row,
  lockedValue = "it"
): LockingRead<Row> => ({
  lawKey,
  lockedValue,
  increment,
  findOne,
  check: (contents, name) => Store.run(check(contents, name))
})

export const incrementCreatedAt = <Row extends { readonly createdAt: Instant.Instant }>(row: Row): Row => ({
  ...row,
  createdAt: Instant.addMinutes(row.createdAt, 1)
})

/** A read that returns all of an org's rows that match, in this order or in any order. */
export const readList = <Row extends object>(
  list: (orgId: string) => StorageEffect<Rows<Row>>,
  sort?: Sort<Row>,
  isListed: (row: Row) => boolean = () => true
): Read<Row> => ({
  check: ({ orgs, rows }, name) =>
    Effect.forEach([...orgs, newId()], (orgId) => {
      const expected = rows.filter((row) => getOrgId(row) === orgId && isListed(row))
      return Effect.map(list(orgId), (found) => assertRows(found, expected, sort, name))
    }, { discard: true })
})

interface PageQuery<At> {
  readonly orgId: string
  readonly after?: At | undefined
  readonly limit: number
}

/** A read that returns an org's rows that match in pages. */
export const readPages = <Row extends object, At = Position>(
  page: (query: PageQuery<At>) => StorageEffect<Rows<Row>>,
  sort: Sort<Row>,
  toPosition: (row: Row) => At,
  isListed?: (row: Row) => boolean
): Read<Row> => ({
  check: (contents, name) =>
    Effect.forEach([1000, 1 + contents.rows.length % 3], (limit) =>
      readList(
        (orgId) => readAllPages(limit, (after) => page({ orgId, after, limit }), toPosition),
        sort,
        isListed
      ).check(contents, name), { discard: true })
})

/** A read that returns the rows of all orgs in pages, ordered by ID. */
export const readPagesOfAllOrgs = <Row extends OrgKey>(
  page: (after: string, limit: number) => StorageEffect<Rows<Row>>
): Read<Row> => ({
  check: ({ orgs, rows }, name) => {
    const expected = rows.toSorted(compareById)
    // The prefix sorts before the first ID, and after most rows of earlier cases.
    const cursor = expected[0]?.id.slice(0, -1) ?? newId()
    return Effect.map(
      readAllPages(3, (after: string = cursor) => page(after, 3), ({ id }) => id),
      (found) => assert.deepStrictEqual(found.filter(({ orgId }) => orgs.includes(orgId)), expected, name)
    )
  }
})
