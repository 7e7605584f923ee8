import { assert, it } from "@effect/vitest"
import { CustomerStore } from "@trailbook/core/customer/CustomerStore"
import { layer } from "@trailbook/postgres"
import { oneOfEach } from "@trailbook/testkit/law/oneOfEach"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { database } from "./schema.ts"

/** Letters with cases that ASCII does not know, and all that a pattern could take for a sign of its own. */
const letters = FastCheck.string({
  unit: FastCheck.constantFrom(...Array.from("aAåÅéÉßжЖd1*?+.|(){}$[]^-%_\\'\"&~`!#,/:;<=>@😀 \n")),
  maxLength: 6
})

it.scopedLive(
  "a search finds what holds its words, in upper or lower case, and takes no character for a sign",
  () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* Effect.gen(function*() {
        const { list, put } = yield* CustomerStore
        const { customer } = yield* oneOfEach
        const found = (q: string) =>
          Effect.map(list({ orgId: customer.orgId, q, after: undefined, limit: 1 }), ([guest]) => guest !== undefined)
        for (const [name, q] of FastCheck.sample(FastCheck.tuple(letters, letters), 300)) {
          // Only the name can hold it: addresses are unique, and the phone stays empty.
          yield* put([{ ...customer, name, email: "0" }])
          assert.strictEqual(yield* found(q), name.toLowerCase().includes(q.toLowerCase()), `${name} holds ${q}`)
          assert.isTrue(yield* found(name), name)
        }
      }).pipe(Effect.provide(layer({ url })))
    }),
  60_000
)
