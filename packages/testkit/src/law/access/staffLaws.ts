import type { AssistantCall, AssistantCallQuery } from "@trailbook/core/assistant"
import type { AuditEntry, Passkey, SignInLink, StaffMember, StaffSession } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment, origin } from "../../generator/moment.ts"
import {
  assistantCall,
  auditEntry,
  passkey,
  signInLink,
  staffMember,
  staffSession
} from "../../generator/staffSession.ts"
import { law, lawForAll } from "../Law.ts"
import {
  incrementCreatedAt,
  isSameRow,
  makeChange,
  makeLock,
  makeRemoval,
  readByKey,
  readList,
  readPages,
  toOrgKey
} from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import { sortOldestFirst } from "../rowAssertions.ts"
import { newStaffMember } from "../sampleRows.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

export const staffLaws = [
  ...makeRowLaws<StaffMember>({
    key: "staff",
    name: "a staff member",
    row: staffMember,
    put: Effect.forEach(Store.staff.put),
    reads: { list: readList(Store.staff.list, sortOldestFirst) },
    changes: {
      remove: makeRemoval(
        "removes only the selected staff member, and does nothing if no staff member matches",
        Store.staff.remove,
        isSameRow
      )
    },
    uniqueKeys: [{ name: "email address", rejectedIn: "org", toFields: ({ email }) => ({ email }) }]
  }),

  law(
    "staff/with-email",
    "finds staff members in all orgs by their exact email address",
    function*() {
      const orgs = yield* Effect.all([createEmptyOrg, createEmptyOrg, createEmptyOrg])
      const email = `${orgs[0].id}@a.co`
      const people = orgs.map(({ id }) => ({ ...newStaffMember(id), email }))
      yield* Effect.forEach(people, Store.staff.put, { discard: true })
      yield* Store.staff.put({ ...newStaffMember(orgs[0].id), email: "other@a.co" })
      assert.deepStrictEqual(yield* Store.staff.withEmail(email), people.toSorted((a, b) => a.orgId < b.orgId ? -1 : 1))
      assert.deepStrictEqual(yield* Store.staff.withEmail("nobody@a.co"), [])
    }
  )
]

interface PersonalRow {
  readonly orgId: string
  readonly staffId: string
}

const isOfSamePerson = (row: PersonalRow, target: PersonalRow) =>
  row.orgId === target.orgId && row.staffId === target.staffId

/** Removals of one staff member's rows. `rows` names the rows in the titles. */
const makePersonalRemovals = <Row extends PersonalRow & Pick<StaffSession, "expiresAt">>(rows: string) => ({
  "remove-over": makeChange<Row, Instant.Instant>({
    title: `removes only a staff member's expired ${rows}`,
    input: moment,
    apply: ({ orgId, staffId }, before) => Store.staffSessions.removeOver({ orgId, staffId }, before),
    update: (row, target, before) => isOfSamePerson(row, target) && row.expiresAt < before ? null : {}
  }),
  "remove-of": makeRemoval<Row>(
    `removes all of one staff member's ${rows}, and no others`,
    ({ orgId, staffId: id }) => Store.staffSessions.removeOf({ orgId, id }),
    isOfSamePerson
  )
})

const listLinks = (staffId: string) =>
  readList<SignInLink>(
    (orgId) => Store.staffSessions.links({ orgId, staffId }),
    (rows) => rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.digest < b.digest ? -1 : 1)),
    (row) => row.staffId === staffId
  )

const sortNewestFirst = <Row extends Pick<AuditEntry, "at" | "id">>(rows: ReadonlyArray<Row>) =>
  rows.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))

const toPosition = ({ at, id }: Pick<AuditEntry, "at" | "id">) => ({ at, id })

const readCalls = (
  filter: Omit<AssistantCallQuery, "orgId" | "after" | "limit">,
  isListed: (call: AssistantCall) => boolean
) =>
  readPages(
    ({ after, limit, orgId }) => Store.assistantCalls.list({ ...filter, orgId, after, limit }),
    sortNewestFirst,
    toPosition,
    isListed
  )

const later = Instant.addMinutes(origin, 30)

export const loginLaws = [
  ...makeRowLaws<SignInLink>({
    key: "sign-in-links",
    name: "a sign-in link",
    row: signInLink,
    identify: (row, orgId, digest) => ({ ...row, orgId, digest }),
    idScope: "service",
    put: Effect.forEach(Store.staffSessions.putLink),
    reads: { "links of Ann": listLinks("ann"), "links of Bob": listLinks("bob") },
    locks: {
      lockLink: makeLock(
        "locks/sign-in-link",
        readByKey(Store.staffSessions.lockLink, ({ digest }) => digest),
        incrementCreatedAt
      )
    },
    changes: makePersonalRemovals("sign-in links")
  }),

  ...makeRowLaws<StaffSession>({
    key: "logins",
    name: "a sign-in session",
    row: staffSession,
    identify: (row, orgId, id) => ({ ...row, orgId, id, digest: newId() }),
    put: Effect.forEach(Store.staffSessions.put),
    reads: {
      find: readByKey(Store.staffSessions.find, ({ digest }) => digest),
      list: readList(Store.staffSessions.list, sortOldestFirst)
    },
    locks: { lock: makeLock("locks/login", readByKey(Store.staffSessions.lock, toOrgKey), incrementCreatedAt) },
    changes: {
      touch: makeChange({
        title: "updates only the last-used time and the expiry of the sign-in session that was used",
        input: FastCheck.record({ lastUsedAt: moment, expiresAt: moment }),
        apply: ({ id, orgId }, times) => Store.staffSessions.touch({ orgId, id, ...times }),
        update: (row, target, times) => isSameRow(row, target) ? times : {}
      }),
      ...makePersonalRemovals("sign-in sessions")
    },
    uniqueKeys: [{ name: "secret", rejectedIn: "service", toFields: ({ digest }) => ({ digest }) }]
  }),

  ...makeRowLaws<AuditEntry>({
    key: "audit",
    name: "an audit entry",
    row: auditEntry,
    put: Effect.forEach(Store.audit.add),
    fixedFields: null,
    reads: {
      page: readPages(
        ({ after: before, ...query }) => Store.audit.page({ ...query, before }),
        sortNewestFirst,
        toPosition
      )
    }
  }),

  ...makeRowLaws<AssistantCall>({
    key: "calls",
    name: "an assistant call",
    row: assistantCall,
    put: Store.assistantCalls.add,
    fixedFields: null,
    reads: {
      list: readCalls({}, () => true),
      "list of one caller": readCalls({ callerId: "AbCdEfGhIjKl" }, ({ callerId }) => callerId === "AbCdEfGhIjKl"),
      "list of one operation": readCalls({ operation: "desk.find" }, ({ operation }) => operation === "desk.find"),
      "list of a period": readCalls({ from: origin, to: later }, ({ at }) => at >= origin && at < later)
    },
    changes: {
      forget: makeChange({
        title: "removes only assistant calls from before a given time, in all orgs",
        input: FastCheck.tuple(moment, FastCheck.integer({ min: 1, max: 4 })),
        apply: (_, [before, limit]) =>
          Effect.iterate(limit, {
            while: (count) => count > 0,
            body: () => Store.assistantCalls.forget(before, limit)
          }),
        update: ({ at }, _, [before]) => at < before ? null : {}
      })
    }
  }),

  lawForAll(
    "audit/since",
    "finds an audit entry by change, subject, and name in its own org, if the entry is recent enough",
    auditEntry,
    function*(row) {
      const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      const entry = { ...row, orgId, id: newId() }
      yield* Store.audit.add(entry)
      const hasEntry = (change: Partial<Parameters<typeof Store.audit.hasSince>[0]>) =>
        Store.audit.hasSince({ ...entry, since: entry.at, ...change })
      assert.isTrue(yield* hasEntry({}))
      assert.isFalse(yield* hasEntry({ since: Instant.make(entry.at + 1) }))
      assert.isFalse(yield* hasEntry({ orgId: twinId }))
      assert.isFalse(yield* hasEntry({ subject: newId() }))
      assert.isFalse(yield* hasEntry({ name: `${entry.name}!` }))
      assert.isFalse(yield* hasEntry({ what: entry.what === "key.created" ? "key.revoked" : "key.created" }))
    }
  )
]

export const passkeyLaws = [
  ...makeRowLaws<Passkey>({
    key: "passkeys",
    name: "a passkey",
    row: passkey,
    idScope: "service",
    put: Effect.forEach(Store.passkeys.put),
    reads: {
      find: readByKey(Store.passkeys.find, ({ id }) => id),
      list: readList(Store.passkeys.list, sortOldestFirst)
    },
    locks: { lock: makeLock("locks/passkey", readByKey(Store.passkeys.lock, toOrgKey), incrementCreatedAt) },
    changes: {
      remove: makeRemoval("removes one passkey, and no others", Store.passkeys.remove, isSameRow),
      "remove-of": makeRemoval(
        "removes all of one staff member's passkeys, and no others",
        ({ orgId, staffId: id }) => Store.passkeys.removeOf({ orgId, id }),
        isOfSamePerson
      )
    },
    uniqueKeys: [{ name: "ID", rejectedIn: "other-orgs", isFixed: true, toFields: ({ id }) => ({ id }) }]
  }),

  lawForAll(
    "passkeys/challenges",
    "keeps a challenge until it is used or expires",
    FastCheck.tuple(FastCheck.array(moment, { minLength: 1, maxLength: 6 }), moment),
    function*([expiries, before]) {
      const rows = expiries.map((expiresAt, at) => ({
        digest: newId(),
        staffId: at % 2 === 0 ? null : "ann",
        expiresAt
      }))
      yield* Effect.forEach(rows, Store.passkeys.addChallenge, { discard: true })
      const lockedRows = Effect.forEach(
        rows,
        ({ digest }) => Effect.map(Store.passkeys.lockChallenge(digest), Option.getOrNull)
      )
      assert.deepStrictEqual(yield* lockedRows, rows)
      yield* Store.passkeys.removeChallenge(rows[0]?.digest ?? "")
      yield* Store.passkeys.removeChallenge(newId())
      yield* Store.passkeys.removeOver(before, 100)
      assert.deepStrictEqual(
        yield* lockedRows,
        rows.map((row, at) => at === 0 || row.expiresAt < before ? null : row)
      )
      // Leave no challenge for the next test.
      yield* Effect.forEach(rows, ({ digest }) => Store.passkeys.removeChallenge(digest), { discard: true })
    }
  )
]
