import type { AuditEntry } from "@trailbook/core/staff/AuditEntry"
import { AuditStore } from "@trailbook/core/staff/AuditStore"
import type { Login } from "@trailbook/core/staff/Login"
import { LoginStore } from "@trailbook/core/staff/LoginStore"
import type { SignInLink } from "@trailbook/core/staff/SignInLink"
import { StaffStore } from "@trailbook/core/staff/StaffStore"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { auditEntry, login, signInLink } from "../generator/login.ts"
import { moment } from "../generator/moment.ts"
import { law } from "./Law.ts"
import { lawForAll } from "./lawForAll.ts"
import { atOnce, race, sorted } from "./Scene.ts"
import { freshId, openOrg } from "./settle.ts"
import { newMember } from "./traces.ts"

const some = FastCheck.record({
  links: FastCheck.array(signInLink, { maxLength: 6 }),
  logins: FastCheck.array(login, { maxLength: 6 })
})

interface Rows {
  readonly links: ReadonlyArray<SignInLink>
  readonly logins: ReadonlyArray<Login>
}

/** Stores them in an org of their own, and the same with other secrets in another. */
const stored = ({ links, logins }: Rows) =>
  Effect.gen(function*() {
    const store = yield* LoginStore
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([openOrg, openOrg])
    const of = (orgId: string): Rows => ({
      links: links.map((link) => ({ ...link, orgId, digest: freshId() })),
      logins: logins.map((login) => ({ ...login, orgId, id: freshId(), digest: freshId() }))
    })
    const [kept, twins] = [of(orgId), of(twinId)]
    for (const rows of [kept, twins]) {
      yield* Effect.forEach(rows.links, store.putLink, { discard: true })
      yield* Effect.forEach(rows.logins, store.put, { discard: true })
    }
    return { orgId, kept, twinId, twins, store }
  })

const inOrder = <Row extends { readonly createdAt: number }>(rows: ReadonlyArray<Row>, idOf: (row: Row) => string) =>
  rows.toSorted((a, b) => a.createdAt - b.createdAt || (idOf(a) < idOf(b) ? -1 : 1))

const linksOf = (rows: Rows, staffId: string) =>
  inOrder(rows.links.filter((link) => link.staffId === staffId), ({ digest }) => digest)
const loginsOf = ({ logins }: Rows) => inOrder(logins, ({ id }) => id)

/** All that is stored of an org. */
const seen = (orgId: string) =>
  Effect.gen(function*() {
    const { links, list } = yield* LoginStore
    return {
      ann: yield* links({ orgId, staffId: "ann" }),
      bob: yield* links({ orgId, staffId: "bob" }),
      logins: yield* list(orgId)
    }
  })

const expected = (rows: Rows) => ({ ann: linksOf(rows, "ann"), bob: linksOf(rows, "bob"), logins: loginsOf(rows) })

const newestFirst = (entries: ReadonlyArray<AuditEntry>) =>
  entries.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))

/**
 * @category laws
 */
export const loginLaws = [
  law(
    "staff/with-email",
    "people are found by their address in all orgs, and by no other address",
    function*() {
      const { put, withEmail } = yield* StaffStore
      const orgs = yield* Effect.all([openOrg, openOrg, openOrg])
      const email = `${orgs[0].id}@a.co`
      const people = orgs.map(({ id }) => ({ ...newMember(id), email }))
      yield* Effect.forEach(people, put, { discard: true })
      yield* put({ ...newMember(orgs[0].id), email: "other@a.co" })
      assert.deepStrictEqual(yield* withEmail(email), people.toSorted((a, b) => a.orgId < b.orgId ? -1 : 1))
      assert.deepStrictEqual(yield* withEmail("nobody@a.co"), [])
    }
  ),

  lawForAll(
    "logins/found",
    "links and logins come back whole by their digests and in the lists of their org, and no others",
    some,
    function*(rows) {
      const { kept, orgId, store, twinId, twins } = yield* stored(rows)
      for (const link of [...kept.links, ...twins.links]) {
        assert.deepStrictEqual(Option.getOrNull(yield* store.lockLink(link.digest)), link)
      }
      for (const login of [...kept.logins, ...twins.logins]) {
        assert.deepStrictEqual(Option.getOrNull(yield* store.find(login.digest)), login)
        assert.deepStrictEqual(Option.getOrNull(yield* store.lock(login)), login)
      }
      assert.isTrue(Option.isNone(yield* store.lockLink(freshId())))
      assert.isTrue(Option.isNone(yield* store.find(freshId())))
      assert.isTrue(Option.isNone(yield* store.lock({ orgId: twinId, id: kept.logins[0]?.id ?? "" })))
      assert.deepStrictEqual(yield* seen(orgId), expected(kept))
      assert.deepStrictEqual(yield* seen(twinId), expected(twins))
    }
  ),

  lawForAll(
    "logins/put",
    "a link that is spent and a login that is ended are stored in the place of the old ones",
    FastCheck.tuple(signInLink, signInLink, login, login),
    function*([link, nextLink, login, nextLogin]) {
      const { kept, orgId, store } = yield* stored({ links: [link], logins: [login] })
      const spent = { ...nextLink, orgId, digest: kept.links[0]?.digest ?? "" }
      const ended = { ...nextLogin, orgId, id: kept.logins[0]?.id ?? "", digest: freshId() }
      yield* store.putLink(spent)
      yield* store.put(ended)
      assert.deepStrictEqual(yield* seen(orgId), expected({ links: [spent], logins: [ended] }))
      assert.isTrue(Option.isNone(yield* store.find(kept.logins[0]?.digest ?? "")))
    }
  ),

  lawForAll(
    "logins/touch",
    "of a login that is used nothing else changes, and of no other anything",
    FastCheck.tuple(some, moment, moment),
    function*([rows, lastUsedAt, expiresAt]) {
      const { kept, orgId, store, twinId, twins } = yield* stored(rows)
      const [used, ...others] = kept.logins
      yield* store.touch({ orgId, id: used?.id ?? "", lastUsedAt, expiresAt })
      yield* store.touch({ orgId, id: twins.logins[0]?.id ?? "", lastUsedAt, expiresAt })
      const touched = used === undefined ? [] : [{ ...used, lastUsedAt, expiresAt }]
      assert.deepStrictEqual(yield* seen(orgId), expected({ ...kept, logins: [...touched, ...others] }))
      assert.deepStrictEqual(yield* seen(twinId), expected(twins))
    }
  ),

  lawForAll(
    "logins/remove-over",
    "what ran out of a person is removed, and nothing else",
    FastCheck.tuple(some, moment),
    function*([rows, before]) {
      const { kept, orgId, store, twinId, twins } = yield* stored(rows)
      yield* store.removeOver({ orgId, staffId: "ann" }, before)
      const isLeft = ({ expiresAt, staffId }: SignInLink | Login) => staffId !== "ann" || expiresAt >= before
      assert.deepStrictEqual(
        yield* seen(orgId),
        expected({ links: kept.links.filter(isLeft), logins: kept.logins.filter(isLeft) })
      )
      assert.deepStrictEqual(yield* seen(twinId), expected(twins))
    }
  ),

  lawForAll(
    "logins/remove-of",
    "all of a person is removed, and nothing of anybody else",
    some,
    function*(rows) {
      const { kept, orgId, store, twinId, twins } = yield* stored(rows)
      yield* store.removeOf({ orgId, id: "ann" })
      const isOther = ({ staffId }: SignInLink | Login) => staffId !== "ann"
      assert.deepStrictEqual(
        yield* seen(orgId),
        expected({ links: kept.links.filter(isOther), logins: kept.logins.filter(isOther) })
      )
      assert.deepStrictEqual(yield* seen(twinId), expected(twins))
    }
  ),

  race(
    "races/sign-in-link",
    "a sign-in link that is spent several times at once signs in once",
    function*({ logins: [here, there], orgId, staff: [staff] }, round) {
      const { id: staffId } = yield* staff.add({ orgId, email: "ann@a.co", by: { _tag: "Operator" } })
      const secret = yield* here.link({ orgId, staffId })
      const spend = (logins: typeof here) => logins.spend({ secret, device: "" })
      const spent = sorted(yield* atOnce(round, [spend(here), spend(there), spend(here)]))
      assert.deepStrictEqual(spent.codes, ["unauthorized", "unauthorized"])
      assert.strictEqual((yield* here.list(orgId)).length, 1)
    }
  ),

  lawForAll(
    "audit/page",
    "the audit list is read from its newest entry, page by page, whole and of its org alone",
    FastCheck.tuple(FastCheck.array(auditEntry, { maxLength: 9 }), FastCheck.integer({ min: 1, max: 4 })),
    function*([rows, limit]) {
      const { add, page } = yield* AuditStore
      const [{ id: orgId }, { id: twinId }] = yield* Effect.all([openOrg, openOrg])
      const entries = rows.map((row) => ({ ...row, orgId, id: freshId() }))
      yield* Effect.forEach(entries, add, { discard: true })
      yield* Effect.forEach(entries, (entry) => add({ ...entry, orgId: twinId, name: "Twin" }), { discard: true })
      const read: Array<AuditEntry> = []
      while (true) {
        const last = read.at(-1)
        const found = yield* page({ orgId, before: last && { at: last.at, id: last.id }, limit })
        read.push(...found)
        if (found.length < limit || read.length > entries.length) break
      }
      assert.deepStrictEqual(read, newestFirst(entries))
    }
  )
]
