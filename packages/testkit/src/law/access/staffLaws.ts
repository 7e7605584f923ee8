import type { AssistantCallQuery } from "@trailbook/core/assistant"
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
import { law, lawForAll, makeLawsWithStoredData } from "../Law.ts"
import { assertFinds, assertFindsNothing, readAllPages, sortOldestFirst } from "../rowAssertions.ts"
import { newStaffMember } from "../sampleRows.ts"
import { createEmptyOrg, newId, storeInTwoOrgs } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const people = FastCheck.uniqueArray(staffMember, { maxLength: 6, selector: ({ email }) => email })

const storeMembers = (rows: ReadonlyArray<StaffMember>) => storeInTwoOrgs(rows, Effect.forEach(Store.staff.put))

export const staffLaws = [
  lawForAll(
    "staff/list",
    "lists every staff member of one org, oldest first",
    people,
    function*(rows) {
      const { kept, orgId } = yield* storeMembers(rows)
      assert.deepStrictEqual(yield* Store.staff.list(orgId), sortOldestFirst(kept))
      assert.deepStrictEqual(yield* Store.staff.list(newId()), [])
    }
  ),

  lawForAll(
    "staff/put",
    "replaces a staff member when they are stored again, and frees the previous email address",
    FastCheck.tuple(staffMember, staffMember),
    function*([before, after]) {
      const { kept: [first], orgId } = yield* storeMembers([before])
      if (first === undefined) return
      const replacement = { ...after, id: first.id, orgId, email: `new-${after.email}` }
      yield* Store.staff.put(replacement)
      assert.deepStrictEqual(yield* Store.staff.list(orgId), [replacement])
      const other = { ...first, id: newId() }
      yield* Store.staff.put(other)
      assert.deepStrictEqual(yield* Store.staff.list(orgId), sortOldestFirst([replacement, other]))
    }
  ),

  lawForAll(
    "staff/remove",
    "removes only the selected staff member, and does nothing if no staff member matches",
    people.filter(({ length }) => length > 0),
    function*(rows) {
      const { kept, orgId, twinId, twins } = yield* storeMembers(rows)
      const [removedMember, ...rest] = kept
      if (removedMember === undefined) return
      yield* Store.staff.remove({ orgId, id: removedMember.id })
      yield* Store.staff.remove({ orgId, id: removedMember.id })
      yield* Store.staff.remove({ orgId: newId(), id: rest[0]?.id ?? removedMember.id })
      assert.deepStrictEqual(yield* Store.staff.list(orgId), sortOldestFirst(rest))
      assert.deepStrictEqual(yield* Store.staff.list(twinId), sortOldestFirst(twins))
    }
  )
]

const loginRows = FastCheck.record({
  links: FastCheck.array(signInLink, { maxLength: 6 }),
  logins: FastCheck.array(staffSession, { maxLength: 6 })
})

interface Rows {
  readonly links: ReadonlyArray<SignInLink>
  readonly logins: ReadonlyArray<StaffSession>
}

/** Stores the rows in one org, and copies with different secrets in another. */
const storeLogins = ({ links, logins }: Rows) =>
  Effect.gen(function*() {
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    const makeRows = (orgId: string): Rows => ({
      links: links.map((link) => ({ ...link, orgId, digest: newId() })),
      logins: logins.map((login) => ({ ...login, orgId, id: newId(), digest: newId() }))
    })
    const [storedRows, twins] = [makeRows(orgId), makeRows(twinId)]
    for (const rows of [storedRows, twins]) {
      yield* Effect.forEach(rows.links, Store.staffSessions.putLink, { discard: true })
      yield* Effect.forEach(rows.logins, Store.staffSessions.put, { discard: true })
    }
    return { orgId, kept: storedRows, twinId, twins }
  })

const findLinks = ({ links }: Rows, staffId: string) =>
  links.filter((link) => link.staffId === staffId)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.digest < b.digest ? -1 : 1))

/** Returns an org's stored rows. */
const readLogins = (orgId: string) =>
  Effect.gen(function*() {
    return {
      ann: yield* Store.staffSessions.links({ orgId, staffId: "ann" }),
      bob: yield* Store.staffSessions.links({ orgId, staffId: "bob" }),
      logins: yield* Store.staffSessions.list(orgId)
    }
  })

const expectedLogins = (rows: Rows) => ({
  ann: findLinks(rows, "ann"),
  bob: findLinks(rows, "bob"),
  logins: sortOldestFirst(rows.logins)
})

const newestFirst = <Row extends Pick<AuditEntry, "at" | "id">>(entries: ReadonlyArray<Row>) =>
  entries.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))

const loginLaw = makeLawsWithStoredData(storeLogins)

export const loginLaws = [
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
  ),

  loginLaw(
    "logins/found",
    "returns complete sign-in links and sign-in sessions by digest, and lists sessions only for their own org",
    FastCheck.tuple(loginRows),
    function*({ kept, orgId, twinId, twins }) {
      for (const link of [...kept.links, ...twins.links]) {
        yield* assertFinds(Store.staffSessions.lockLink(link.digest), link)
      }
      for (const login of [...kept.logins, ...twins.logins]) {
        yield* assertFinds(Store.staffSessions.find(login.digest), login)
        yield* assertFinds(Store.staffSessions.lock(login), login)
      }
      yield* assertFindsNothing(Store.staffSessions.lockLink(newId()))
      yield* assertFindsNothing(Store.staffSessions.find(newId()))
      yield* assertFindsNothing(Store.staffSessions.lock({ orgId: twinId, id: kept.logins[0]?.id ?? "" }))
      assert.deepStrictEqual(yield* readLogins(orgId), expectedLogins(kept))
      assert.deepStrictEqual(yield* readLogins(twinId), expectedLogins(twins))
    }
  ),

  lawForAll(
    "logins/put",
    "replaces a used sign-in link and an ended sign-in session when they are stored again",
    FastCheck.tuple(signInLink, signInLink, staffSession, staffSession),
    function*([link, nextLink, login, nextLogin]) {
      const { kept, orgId } = yield* storeLogins({ links: [link], logins: [login] })
      const usedLink = { ...nextLink, orgId, digest: kept.links[0]?.digest ?? "" }
      const endedLogin = { ...nextLogin, orgId, id: kept.logins[0]?.id ?? "", digest: newId() }
      yield* Store.staffSessions.putLink(usedLink)
      yield* Store.staffSessions.put(endedLogin)
      assert.deepStrictEqual(yield* readLogins(orgId), expectedLogins({ links: [usedLink], logins: [endedLogin] }))
      yield* assertFindsNothing(Store.staffSessions.find(kept.logins[0]?.digest ?? ""))
    }
  ),

  loginLaw(
    "logins/touch",
    "updates only the last-used time, and only on the sign-in session that was used",
    FastCheck.tuple(loginRows, moment, moment),
    function*({ kept, orgId, twinId, twins }, lastUsedAt, expiresAt) {
      const [usedLogin, ...others] = kept.logins
      yield* Store.staffSessions.touch({ orgId, id: usedLogin?.id ?? "", lastUsedAt, expiresAt })
      yield* Store.staffSessions.touch({ orgId, id: twins.logins[0]?.id ?? "", lastUsedAt, expiresAt })
      const touchedLogins = usedLogin === undefined ? [] : [{ ...usedLogin, lastUsedAt, expiresAt }]
      assert.deepStrictEqual(
        yield* readLogins(orgId),
        expectedLogins({ ...kept, logins: [...touchedLogins, ...others] })
      )
      assert.deepStrictEqual(yield* readLogins(twinId), expectedLogins(twins))
    }
  ),

  loginLaw(
    "logins/remove-over",
    "removes only a staff member's expired sign-in links and sign-in sessions",
    FastCheck.tuple(loginRows, moment),
    function*({ kept, orgId, twinId, twins }, before) {
      yield* Store.staffSessions.removeOver({ orgId, staffId: "ann" }, before)
      const isKept = ({ expiresAt, staffId }: SignInLink | StaffSession) => staffId !== "ann" || expiresAt >= before
      assert.deepStrictEqual(
        yield* readLogins(orgId),
        expectedLogins({ links: kept.links.filter(isKept), logins: kept.logins.filter(isKept) })
      )
      assert.deepStrictEqual(yield* readLogins(twinId), expectedLogins(twins))
    }
  ),

  loginLaw(
    "logins/remove-of",
    "removes all of one staff member's sign-in links and sign-in sessions, and no others",
    FastCheck.tuple(loginRows),
    function*({ kept, orgId, twinId, twins }) {
      yield* Store.staffSessions.removeOf({ orgId, id: "ann" })
      const isOther = ({ staffId }: SignInLink | StaffSession) => staffId !== "ann"
      assert.deepStrictEqual(
        yield* readLogins(orgId),
        expectedLogins({ links: kept.links.filter(isOther), logins: kept.logins.filter(isOther) })
      )
      assert.deepStrictEqual(yield* readLogins(twinId), expectedLogins(twins))
    }
  ),

  lawForAll(
    "audit/page",
    "returns an org's complete audit log in pages, newest entry first",
    FastCheck.tuple(FastCheck.array(auditEntry, { maxLength: 9 }), FastCheck.integer({ min: 1, max: 4 })),
    function*([rows, limit]) {
      const auditRows = rows.map((row) => ({ ...row, id: newId() }))
      const { kept: entries, orgId } = yield* storeInTwoOrgs(auditRows, Effect.forEach(Store.audit.add), {
        name: "Twin"
      })
      const pages = yield* readAllPages(
        limit,
        (before) => Store.audit.page({ orgId, before, limit }),
        ({ at, id }) => ({ at, id })
      )
      assert.deepStrictEqual(pages, newestFirst(entries))
    }
  ),

  lawForAll(
    "calls/rows",
    "lists an org's assistant calls newest first, filtered by caller, operation, and time, and removes old calls",
    FastCheck.tuple(
      FastCheck.array(assistantCall, { maxLength: 9 }),
      FastCheck.integer({ min: 1, max: 4 }),
      FastCheck.tuple(moment, moment)
    ),
    function*([rows, limit, moments]) {
      const callRows = rows.map((row) => ({ ...row, id: newId() }))
      const { kept: calls, orgId } = yield* storeInTwoOrgs(callRows, Store.assistantCalls.add, { outcome: "twin" })
      yield* Store.assistantCalls.add([])
      const readAll = (filter: Partial<AssistantCallQuery>) =>
        readAllPages(
          limit,
          (after) => Store.assistantCalls.list({ ...filter, orgId, after, limit }),
          ({ at, id }) => ({ at, id })
        )
      const [from, to] = moments.toSorted((a, b) => a - b)
      const [first] = calls
      assert.deepStrictEqual(yield* readAll({}), newestFirst(calls))
      assert.deepStrictEqual(
        yield* readAll({ from, to }),
        newestFirst(calls.filter(({ at }) => at >= (from ?? at) && at < (to ?? 0)))
      )
      if (first !== undefined) {
        const { callerId, operation } = first
        const matchingCalls = newestFirst(
          calls.filter((call) => call.callerId === callerId && call.operation === operation)
        )
        assert.deepStrictEqual(yield* readAll({ callerId, operation }), matchingCalls)
        assert.deepStrictEqual(yield* readAll({ callerId: newId() }), [])
      }
      const before = from ?? origin
      while ((yield* Store.assistantCalls.forget(before, limit)) > 0);
      assert.deepStrictEqual(yield* readAll({}), newestFirst(calls.filter(({ at }) => at >= before)))
    }
  ),

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

const passkeys = FastCheck.array(passkey, { maxLength: 6 })

/** Stores the rows in one org, and copies with different IDs in another. */
const storePasskeys = (rows: ReadonlyArray<Passkey>) =>
  storeInTwoOrgs(rows, Effect.forEach(Store.passkeys.put), {}, () => ({ id: newId() }))

export const passkeyLaws = [
  lawForAll(
    "passkeys/found",
    "returns complete passkeys by ID, and lists them only for their own org",
    passkeys,
    function*(rows) {
      const { kept, orgId, twinId, twins } = yield* storePasskeys(rows)
      for (const row of [...kept, ...twins]) {
        yield* assertFinds(Store.passkeys.find(row.id), row)
        yield* assertFinds(Store.passkeys.lock(row), row)
      }
      yield* assertFindsNothing(Store.passkeys.find(newId()))
      yield* assertFindsNothing(Store.passkeys.lock({ orgId: twinId, id: kept[0]?.id ?? "" }))
      assert.deepStrictEqual(yield* Store.passkeys.list(orgId), sortOldestFirst(kept))
      assert.deepStrictEqual(yield* Store.passkeys.list(twinId), sortOldestFirst(twins))
    }
  ),

  lawForAll(
    "passkeys/put",
    "replaces a passkey when it is stored again after a sign-in",
    FastCheck.tuple(passkey, passkey),
    function*([before, after]) {
      const { kept: [first], orgId } = yield* storePasskeys([before])
      const usedPasskey = { ...after, orgId, id: first?.id ?? "", lastUsedAt: Instant.make(7) }
      yield* Store.passkeys.put(usedPasskey)
      assert.deepStrictEqual(yield* Store.passkeys.list(orgId), [usedPasskey])
    }
  ),

  lawForAll(
    "passkeys/removed",
    "removes one or all of a staff member's passkeys, and no others",
    passkeys,
    function*(rows) {
      const { kept, orgId, twinId, twins } = yield* storePasskeys([...rows, ...rows])
      const [removedPasskey, ...rest] = kept
      yield* Store.passkeys.remove({ orgId, id: removedPasskey?.id ?? "" })
      yield* Store.passkeys.remove({ orgId: twinId, id: rest[0]?.id ?? "" })
      assert.deepStrictEqual(yield* Store.passkeys.list(orgId), sortOldestFirst(rest))
      yield* Store.passkeys.removeOf({ orgId, id: "ann" })
      assert.deepStrictEqual(
        yield* Store.passkeys.list(orgId),
        sortOldestFirst(rest.filter(({ staffId }) => staffId !== "ann"))
      )
      assert.deepStrictEqual(yield* Store.passkeys.list(twinId), sortOldestFirst(twins))
    }
  ),

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
