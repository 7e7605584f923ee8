/**
 * All stored data as a single immutable value. A change creates a new value, and readers keep the old value, so
 * snapshots and rollbacks need no other mechanism.
 */
import type { OrgKey } from "@trailbook/core/offering"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { type Name, type Rows, type Shape, shapes, within } from "./Rows.ts"

export interface Table<Row> {
  readonly rows: HashMap.HashMap<string, Row>
  readonly groups: HashMap.HashMap<string, HashMap.HashMap<string, Row>>
}

export type State = { readonly [T in Name]: Table<Rows[T]> }

/** A row's new value, or its deletion. The journal is a list of changes. */
export type Change<T extends Name = Name> = {
  [K in T]: { readonly table: K; readonly row: Rows[K]; readonly gone?: true }
}[T]

/**
 * An error for an invalid row. Storage adapters reject such rows and core never writes them, so this error is a defect.
 */
export class ConstraintViolation extends Error {
  override readonly name = "ConstraintViolation"
}

const none = { rows: HashMap.empty<string>(), groups: HashMap.empty<string>() }

export const emptyState: State = {
  orgs: none,
  apiKeys: none,
  staff: none,
  signInLinks: none,
  logins: none,
  passkeys: none,
  challenges: none,
  audit: none,
  assistantCalls: none,
  applications: none,
  grants: none,
  grantCodes: none,
  grantTokens: none,
  offerings: none,
  sessions: none,
  customers: none,
  bookings: none,
  broadcasts: none,
  conversations: none,
  messages: none,
  closures: none,
  discounts: none,
  savedReplies: none,
  drafts: none,
  payments: none,
  paymentConnections: none,
  ledger: none,
  files: none,
  events: none,
  touches: none,
  tasks: none,
  automations: none,
  proposals: none,
  endpoints: none,
  subscriptions: none,
  requests: none,
  unfinished: none
}

export const get = <Row>(table: Table<Row>, key: string): Row | undefined =>
  Option.getOrUndefined(HashMap.get(table.rows, key))

/** Returns the rows with these keys, without duplicates. */
export const findRows = <Row>(table: Table<Row>, keys: ReadonlyArray<OrgKey>): ReadonlyArray<Row> =>
  [...new Set(keys.map(({ id, orgId }) => within(orgId, id)))].flatMap((key) => get(table, key) ?? [])

export const inGroup = <Row>(table: Table<Row>, group: string): ReadonlyArray<Row> =>
  Option.match(HashMap.get(table.groups, group), {
    onNone: () => [],
    onSome: (rows) => [...HashMap.values(rows)]
  })

/** Returns the rows in these groups. Duplicate groups are read only once. */
export const inGroups = <Row>(table: Table<Row>, groups: ReadonlyArray<string>): ReadonlyArray<Row> =>
  [...new Set(groups)].flatMap((group) => inGroup(table, group))

export const sizeOf = <Row>(table: Table<Row>, group: string): number =>
  Option.match(HashMap.get(table.groups, group), { onNone: () => 0, onSome: HashMap.size })

/** Applies changes to a state, both to run a transaction and to read the journal. */
export const apply = (state: State, changes: ReadonlyArray<Change>): State => changes.reduce(applyOne, state)

const applyOne = <T extends Name>(state: State, { gone, row, table }: Change<T>): State => {
  const shape: Shape<Rows[T]> = shapes[table]
  const without = remove(state[table], shape, shape.key(row))
  if (gone) return { ...state, [table]: without }
  for (const [other, key] of shape.refersTo(row)) {
    if (get<unknown>(state[other], key) === undefined) throw new ConstraintViolation(`${other} has no row ${key}.`)
  }
  for (const group of shape.unique(row)) {
    if (HashMap.has(without.groups, group)) throw new ConstraintViolation(`Duplicate ${group} in ${table}.`)
  }
  return { ...state, [table]: insert(without, shape, row) }
}

const groupsOf = <Row>(shape: Shape<Row>, row: Row) => [...shape.groups(row), ...shape.unique(row)]

const insert = <Row>({ groups, rows }: Table<Row>, shape: Shape<Row>, row: Row): Table<Row> => {
  const key = shape.key(row)
  return {
    rows: HashMap.set(rows, key, row),
    groups: groupsOf(shape, row).reduce(
      (groups, group) =>
        HashMap.modifyAt(
          groups,
          group,
          (members) => Option.some(HashMap.set(Option.getOrElse(members, () => HashMap.empty<string, Row>()), key, row))
        ),
      groups
    )
  }
}

const remove = <Row>(table: Table<Row>, shape: Shape<Row>, key: string): Table<Row> => {
  const row = get(table, key)
  if (row === undefined) return table
  return {
    rows: HashMap.remove(table.rows, key),
    // An empty group is deleted, so that its unique value becomes available again.
    groups: groupsOf(shape, row).reduce(
      (groups, group) =>
        HashMap.modifyAt(
          groups,
          group,
          (members) =>
            Option.filter(Option.map(members, HashMap.remove(key)), (remaining) => !HashMap.isEmpty(remaining))
        ),
      table.groups
    )
  }
}
