import { scopes } from "@trailbook/core/actor"
import {
  type AuthorizationCode,
  type Grant,
  type GrantToken,
  type OAuthClient,
  tokenKinds
} from "@trailbook/core/oauth"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment, origin } from "../../generator/moment.ts"
import { text } from "../../generator/text.ts"
import { law } from "../Law.ts"
import { incrementCreatedAt, isSameRow, makeChange, makeLock, readByKey, readList, toOrgKey } from "../row/Entity.ts"
import { makeRowLaws } from "../row/makeRowLaws.ts"
import { assertFinds, sortOldestFirst } from "../rowAssertions.ts"
import { drawSample, newGrant } from "../sampleRows.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

const some = FastCheck.subarray([...scopes], { minLength: 1 })
const client = FastCheck.constantFrom("app_1", "app_2", "https://a.co/client.json")

const oauthClient: FastCheck.Arbitrary<OAuthClient> = FastCheck.record({
  clientId: FastCheck.uuid(),
  name: text(80),
  redirectUris: FastCheck.array(FastCheck.webUrl(), { minLength: 1, maxLength: 3 }),
  createdAt: moment,
  readAt: moment
})

/** A grant without an org. */
const grant: FastCheck.Arbitrary<Grant> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  clientId: client,
  name: text(80),
  staffId: FastCheck.constantFrom("ann", "bob"),
  scopes: some,
  personal: FastCheck.boolean(),
  createdAt: moment,
  lastUsedAt: FastCheck.option(moment),
  withdrawnAt: FastCheck.option(moment)
})

/** An authorization code without a grant. */
const authorizationCode: FastCheck.Arbitrary<AuthorizationCode> = FastCheck.record({
  digest: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  grantId: FastCheck.constant(""),
  clientId: client,
  redirectUri: FastCheck.webUrl(),
  challenge: text(43),
  createdAt: moment,
  expiresAt: moment,
  spentAt: FastCheck.option(moment)
})

/** A token without a grant. */
const grantToken: FastCheck.Arbitrary<GrantToken> = FastCheck.record({
  digest: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  grantId: FastCheck.constant(""),
  kind: FastCheck.constantFrom(...tokenKinds),
  scopes: some,
  createdAt: moment,
  expiresAt: moment,
  rotatedAt: FastCheck.option(moment),
  uses: FastCheck.nat(20)
})

const toDigest = ({ digest }: { readonly digest: string }) => digest

/** The parts of a description that are the same for codes and tokens. `rows` names the rows in the title. */
const describeGrantRows = <Row extends AuthorizationCode | GrantToken>(rows: string) => ({
  identify: (row: Row, orgId: string, digest: string): Row => ({ ...row, orgId, digest }),
  idScope: "service" as const,
  fixedFields: ({ grantId }: Row) => ({ grantId }),
  seedReferences: (orgId: string, grantId: string) =>
    Effect.as(Store.grants.put({ ...newGrant(orgId), id: grantId }), { grantId }),
  references: ["orgId", "grantId"],
  changes: {
    "remove-over": makeChange<Row, Instant.Instant>({
      title: `removes only a grant's expired ${rows}`,
      input: moment,
      apply: ({ grantId: id, orgId }, before) => Store.grants.removeExpired({ orgId, id }, before),
      update: (row, { grantId, orgId }, before) =>
        row.orgId === orgId && row.grantId === grantId && row.expiresAt < before ? null : {}
    })
  }
})

export const applicationLaws = [
  ...makeRowLaws<OAuthClient>({
    key: "applications",
    name: "an OAuth client",
    row: oauthClient,
    identify: (row, _, clientId) => ({ ...row, clientId }),
    idScope: "service",
    put: Effect.forEach(Store.oauthClients.put),
    reads: { find: readByKey(Store.oauthClients.find, ({ clientId }) => clientId) },
    references: []
  }),

  law(
    "applications/unused",
    "removes only old applications without grants, oldest first",
    function*() {
      const { id: orgId } = yield* createEmptyOrg
      const ids = Array.from({ length: 6 }, newId)
      const toInstant = (n: number) => Instant.make(1000 + n)
      yield* Effect.forEach(
        ids,
        (clientId, n) =>
          Store.oauthClients.put({
            ...drawSample(oauthClient),
            clientId,
            createdAt: toInstant(0),
            readAt: toInstant(n)
          }),
        { discard: true }
      )
      // A withdrawn grant is still listed by name.
      yield* Store.grants.put({ ...newGrant(orgId), clientId: ids[1] ?? "", withdrawnAt: toInstant(0) })
      const remainingIndexes = Effect.map(
        Effect.forEach(ids, Store.oauthClients.find),
        (all) => all.flatMap((one, n) => Option.isSome(one) ? [n] : [])
      )
      yield* Store.oauthClients.removeUnused(toInstant(4), 2)
      assert.deepStrictEqual(yield* remainingIndexes, [1, 3, 4, 5])
      yield* Store.oauthClients.removeUnused(toInstant(4), 10)
      assert.deepStrictEqual(yield* remainingIndexes, [1, 4, 5])
    }
  ),

  ...makeRowLaws<Grant>({
    key: "grants",
    name: "a grant",
    row: grant,
    put: Effect.forEach(Store.grants.put),
    reads: { list: readList(Store.grants.list, sortOldestFirst) },
    locks: { lock: makeLock("locks/grant", readByKey(Store.grants.lock, toOrgKey), incrementCreatedAt) },
    changes: {
      touch: makeChange({
        title: "updates only the last-used time, and only on the grant that was used",
        input: moment,
        apply: (target, at) => Store.grants.touch(target, at),
        update: (row, target, at) => isSameRow(row, target) ? { lastUsedAt: at } : {}
      })
    }
  }),

  ...makeRowLaws<AuthorizationCode>({
    ...describeGrantRows<AuthorizationCode>("authorization codes"),
    key: "codes",
    name: "an authorization code",
    row: authorizationCode,
    put: Effect.forEach(Store.grants.putCode),
    reads: {},
    locks: {
      lockCode: makeLock("locks/authorization-code", readByKey(Store.grants.lockCode, toDigest), incrementCreatedAt)
    }
  }),

  ...makeRowLaws<GrantToken>({
    ...describeGrantRows<GrantToken>("tokens"),
    key: "tokens",
    name: "a token",
    row: grantToken,
    put: Effect.forEach(Store.grants.putToken),
    reads: {
      findToken: readByKey(
        (digest: string) => Effect.map(Store.grants.findToken(digest), Option.map(({ token }) => token)),
        toDigest
      )
    },
    locks: { lockToken: makeLock("locks/token", readByKey(Store.grants.lockToken, toDigest), incrementCreatedAt) }
  }),

  law(
    "grants/approved",
    "returns a token with the grant of its org, and approves an application while any org's grant is not withdrawn",
    function*() {
      const [{ id: orgId }, { id: otherId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
      const grant = { ...newGrant(orgId), clientId: newId() }
      const otherGrant = { ...grant, orgId: otherId, name: "Other" }
      const isApproved = Store.grants.isApproved(grant.clientId)
      assert.isFalse(yield* isApproved)
      for (const row of [grant, otherGrant]) {
        const token = { ...drawSample(grantToken), orgId: row.orgId, grantId: row.id, digest: newId() }
        yield* Store.grants.put(row)
        yield* Store.grants.putToken(token)
        yield* assertFinds(Store.grants.findToken(token.digest), { token, grant: row })
      }
      yield* Store.grants.put({ ...grant, withdrawnAt: origin })
      assert.isTrue(yield* isApproved)
      yield* Store.grants.put({ ...otherGrant, withdrawnAt: origin })
      assert.isFalse(yield* isApproved)
    }
  )
]
