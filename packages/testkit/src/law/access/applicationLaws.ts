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
import { moment } from "../../generator/moment.ts"
import { text } from "../../generator/text.ts"
import { law, lawForAll, makeLawsWithStoredData } from "../Law.ts"
import { assertFinds, assertFindsNothing, sortOldestFirst } from "../rowAssertions.ts"
import { newGrant } from "../sampleRows.ts"
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

const clientRows = FastCheck.record({
  grants: FastCheck.array(grant, { minLength: 1, maxLength: 3 }),
  codes: FastCheck.array(authorizationCode, { maxLength: 4 }),
  tokens: FastCheck.array(grantToken, { maxLength: 6 })
})

interface Rows {
  readonly grants: ReadonlyArray<Grant>
  readonly codes: ReadonlyArray<AuthorizationCode>
  readonly tokens: ReadonlyArray<GrantToken>
}

/** Stores the rows in one org, and copies with different names in another. Grant IDs are the same in both orgs. */
const storeClients = (rows: Rows) =>
  Effect.gen(function*() {
    const orgs = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    const ids = rows.grants.map(() => newId())
    const makeRows = (orgId: string): Rows => {
      const makeFields = (at: number) => ({ orgId, grantId: ids[at % ids.length] ?? "", digest: newId() })
      return {
        grants: rows.grants.map((row, at) => ({ ...row, orgId, id: ids[at] ?? "", clientId: row.clientId + ids[0] })),
        codes: rows.codes.map((row, at) => ({ ...row, ...makeFields(at) })),
        tokens: rows.tokens.map((row, at) => ({ ...row, ...makeFields(at) }))
      }
    }
    const [storedRows, twins] = [makeRows(orgs[0].id), makeRows(orgs[1].id)]
    for (const { codes, grants, tokens } of [storedRows, twins]) {
      yield* Effect.forEach(grants, Store.grants.put, { discard: true })
      yield* Effect.forEach(codes, Store.grants.putCode, { discard: true })
      yield* Effect.forEach(tokens, Store.grants.putToken, { discard: true })
    }
    return { orgId: orgs[0].id, kept: storedRows, twinId: orgs[1].id, twins }
  })

/** Asserts that these rows are stored, and that the rows in `removedRows` are not. */
const assertStored = (
  { codes, grants, tokens }: Rows,
  removedRows: Pick<Rows, "codes" | "tokens"> = { codes: [], tokens: [] }
) =>
  Effect.gen(function*() {
    const findGrant = ({ grantId, orgId }: GrantToken) =>
      grants.find((row) => row.id === grantId && row.orgId === orgId)
    for (const row of grants) yield* assertFinds(Store.grants.lock(row), row)
    for (const row of codes) yield* assertFinds(Store.grants.lockCode(row.digest), row)
    for (const row of tokens) {
      yield* assertFinds(Store.grants.lockToken(row.digest), row)
      yield* assertFinds(Store.grants.findToken(row.digest), {
        token: row,
        grant: findGrant(row)
      })
    }
    for (const { digest } of removedRows.codes) yield* assertFindsNothing(Store.grants.lockCode(digest))
    for (const { digest } of [...removedRows.tokens, { digest: newId() }]) {
      yield* assertFindsNothing(Store.grants.lockToken(digest))
      yield* assertFindsNothing(Store.grants.findToken(digest))
    }
  })

const grantLaw = makeLawsWithStoredData(storeClients)

export const applicationLaws = [
  lawForAll(
    "applications/put",
    "returns an application by its ID exactly as it was last stored",
    FastCheck.tuple(oauthClient, oauthClient),
    function*([before, after]) {
      const clientId = newId()
      yield* assertFindsNothing(Store.oauthClients.find(clientId))
      yield* Store.oauthClients.put({ ...before, clientId })
      yield* assertFinds(Store.oauthClients.find(clientId), { ...before, clientId })
      yield* Store.oauthClients.put({ ...after, clientId })
      yield* assertFinds(Store.oauthClients.find(clientId), { ...after, clientId })
    }
  ),

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
            clientId,
            name: "",
            redirectUris: [],
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

  grantLaw(
    "grants/found",
    "returns complete grants, codes, and tokens, and lists grants only for their own org",
    FastCheck.tuple(clientRows),
    function*({ kept, orgId, twinId, twins }) {
      yield* assertStored(kept)
      yield* assertStored(twins)
      assert.deepStrictEqual(yield* Store.grants.list(orgId), sortOldestFirst(kept.grants))
      assert.deepStrictEqual(yield* Store.grants.list(twinId), sortOldestFirst(twins.grants))
      yield* assertFindsNothing(Store.grants.lock({ orgId, id: newId() }))
      for (const { clientId } of kept.grants) {
        const clientGrants = [...kept.grants, ...twins.grants].filter((row) => row.clientId === clientId)
        assert.strictEqual(
          yield* Store.grants.isApproved(clientId),
          clientGrants.some(({ withdrawnAt }) => withdrawnAt === null)
        )
      }
      assert.isFalse(yield* Store.grants.isApproved(newId()))
    }
  ),

  grantLaw(
    "grants/put",
    "replaces a revoked grant, a used code, and a reused token when they are stored again",
    FastCheck.tuple(clientRows, grant, authorizationCode, grantToken),
    function*({ kept, twins }, nextGrant, nextCode, nextToken) {
      const replacements = {
        grants: kept.grants.map(({ id, orgId }) => ({ ...nextGrant, id, orgId })),
        codes: kept.codes.map(({ digest, grantId, orgId }) => ({ ...nextCode, digest, grantId, orgId })),
        tokens: kept.tokens.map(({ digest, grantId, orgId }) => ({ ...nextToken, digest, grantId, orgId }))
      }
      yield* Effect.forEach(replacements.grants, Store.grants.put, { discard: true })
      yield* Effect.forEach(replacements.codes, Store.grants.putCode, { discard: true })
      yield* Effect.forEach(replacements.tokens, Store.grants.putToken, { discard: true })
      yield* assertStored(replacements)
      yield* assertStored(twins)
    }
  ),

  grantLaw(
    "grants/touch",
    "updates only the last-used time, and only on the grant that was used",
    FastCheck.tuple(clientRows, moment),
    function*({ kept, twins }, at) {
      const [usedGrant, ...others] = kept.grants
      if (usedGrant === undefined) return
      yield* Store.grants.touch(usedGrant, at)
      yield* Store.grants.touch({ orgId: usedGrant.orgId, id: newId() }, at)
      yield* assertStored({ ...kept, grants: [{ ...usedGrant, lastUsedAt: at }, ...others] })
      yield* assertStored(twins)
    }
  ),

  grantLaw(
    "grants/remove-over",
    "removes only a grant's expired codes and tokens",
    FastCheck.tuple(clientRows, moment),
    function*({ kept, twins }, before) {
      const [first] = kept.grants
      if (first === undefined) return
      yield* Store.grants.removeExpired(first, before)
      const isExpired = ({ expiresAt, grantId }: AuthorizationCode | GrantToken) =>
        grantId === first.id && expiresAt < before
      yield* assertStored(
        {
          ...kept,
          codes: kept.codes.filter((row) => !isExpired(row)),
          tokens: kept.tokens.filter((row) => !isExpired(row))
        },
        { codes: kept.codes.filter(isExpired), tokens: kept.tokens.filter(isExpired) }
      )
      yield* assertStored(twins)
    }
  )
]
