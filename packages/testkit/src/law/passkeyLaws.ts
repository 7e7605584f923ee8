import type { Passkey } from "@trailbook/core/staff/passkey/Passkey"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { assert } from "vitest"
import { passkey } from "../generator/login.ts"
import { moment } from "../generator/moment.ts"
import { oldestFirst } from "./compare.ts"
import { lawForAll } from "./lawForAll.ts"
import { newId, openOrg } from "./seedOrg.ts"
import * as Store from "./Store.ts"

const some = FastCheck.array(passkey, { maxLength: 6 })

/** Stores the rows in one org, and copies with other IDs in another. */
const storePasskeys = (rows: ReadonlyArray<Passkey>) =>
  Effect.gen(function*() {
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([openOrg, openOrg])
    const rowsOf = (orgId: string) => rows.map((row) => ({ ...row, orgId, id: newId() }))
    const [kept, twins] = [rowsOf(orgId), rowsOf(twinId)]
    yield* Effect.forEach([...kept, ...twins], Store.passkeys.put, { discard: true })
    return { orgId, kept, twinId, twins }
  })

export const passkeyLaws = [
  lawForAll(
    "passkeys/found",
    "returns complete passkeys by ID, and lists them only in their own org",
    some,
    function*(rows) {
      const { kept, orgId, twinId, twins } = yield* storePasskeys(rows)
      for (const row of [...kept, ...twins]) {
        assert.deepStrictEqual(Option.getOrNull(yield* Store.passkeys.find(row.id)), row)
        assert.deepStrictEqual(Option.getOrNull(yield* Store.passkeys.lock(row)), row)
      }
      assert.isTrue(Option.isNone(yield* Store.passkeys.find(newId())))
      assert.isTrue(Option.isNone(yield* Store.passkeys.lock({ orgId: twinId, id: kept[0]?.id ?? "" })))
      assert.deepStrictEqual(yield* Store.passkeys.list(orgId), oldestFirst(kept))
      assert.deepStrictEqual(yield* Store.passkeys.list(twinId), oldestFirst(twins))
    }
  ),

  lawForAll(
    "passkeys/put",
    "replaces a passkey when it is stored again after a sign-in",
    FastCheck.tuple(passkey, passkey),
    function*([before, after]) {
      const { kept: [first], orgId } = yield* storePasskeys([before])
      const used = { ...after, orgId, id: first?.id ?? "", lastUsedAt: Instant.make(7) }
      yield* Store.passkeys.put(used)
      assert.deepStrictEqual(yield* Store.passkeys.list(orgId), [used])
    }
  ),

  lawForAll(
    "passkeys/removed",
    "removes one passkey or all passkeys of a staff member, and no others",
    some,
    function*(rows) {
      const { kept, orgId, twinId, twins } = yield* storePasskeys([...rows, ...rows])
      const [gone, ...rest] = kept
      yield* Store.passkeys.remove({ orgId, id: gone?.id ?? "" })
      yield* Store.passkeys.remove({ orgId: twinId, id: rest[0]?.id ?? "" })
      assert.deepStrictEqual(yield* Store.passkeys.list(orgId), oldestFirst(rest))
      yield* Store.passkeys.removeOf({ orgId, id: "ann" })
      assert.deepStrictEqual(
        yield* Store.passkeys.list(orgId),
        oldestFirst(rest.filter(({ staffId }) => staffId !== "ann"))
      )
      assert.deepStrictEqual(yield* Store.passkeys.list(twinId), oldestFirst(twins))
    }
  ),

  lawForAll(
    "passkeys/challenges",
    "keeps a challenge until it is used or expires",
    FastCheck.tuple(FastCheck.array(moment, { minLength: 1, maxLength: 6 }), moment),
    function*([all, before]) {
      const rows = all.map((expiresAt, at) => ({ digest: newId(), staffId: at % 2 === 0 ? null : "ann", expiresAt }))
      yield* Effect.forEach(rows, Store.passkeys.addChallenge, { discard: true })
      const found = Effect.forEach(
        rows,
        ({ digest }) => Effect.map(Store.passkeys.lockChallenge(digest), Option.getOrNull)
      )
      assert.deepStrictEqual(yield* found, rows)
      yield* Store.passkeys.removeChallenge(rows[0]?.digest ?? "")
      yield* Store.passkeys.removeChallenge(newId())
      yield* Store.passkeys.removeOver(before, 100)
      assert.deepStrictEqual(
        yield* found,
        rows.map((row, at) => at === 0 || row.expiresAt < before ? null : row)
      )
      // Leaves no challenge for the next test.
      yield* Effect.forEach(rows, ({ digest }) => Store.passkeys.removeChallenge(digest), { discard: true })
    }
  )
]
