import { PaymentConnections, PaymentConnectionStore } from "@trailbook/core/payment"
import { verifySecrets } from "@trailbook/runtime/service/verifySecrets"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { keyOf, riverShop } from "../payments/riverShop.ts"

const both = `${keyOf("k2")},${keyOf("k1")}`
const access = Effect.gen(function*() {
  const [connection] = yield* (yield* PaymentConnectionStore).page("", 1)
  return connection === undefined ? undefined : yield* (yield* PaymentConnections).access(connection)
})

describe("a payment account's secrets", () => {
  it("are re-encrypted with the first key", async () => {
    const { run } = await riverShop()
    const before = await run(access)
    expect(before).toMatchObject({ key: "sk_test_till", noticeSecret: "whsec_till" })
    expect(await run(verifySecrets({ reseal: false }), both)).toEqual({ secrets: 2, older: 2 })
    expect(await run(verifySecrets({ reseal: true }), both)).toEqual({ secrets: 2, older: 2 })
    expect(await run(verifySecrets({ reseal: true }), keyOf("k2"))).toEqual({ secrets: 2, older: 0 })
    expect(await run(access, keyOf("k2"))).toEqual(before)
  })

  it("are counted even if no webhook secret is stored", async () => {
    const { run } = await riverShop({ notices: false })
    expect(await run(verifySecrets({ reseal: true }), both)).toEqual({ secrets: 1, older: 1 })
    expect(await run(access, keyOf("k2"))).toMatchObject({ key: "sk_test_till", noticeSecret: null })
  })

  it("prevent the server from starting if their encryption key is missing", async () => {
    const { orgId, run } = await riverShop()
    await expect(run(verifySecrets({ reseal: true }), keyOf("k2"))).rejects.toThrow(
      "The key of the payment account Test Till (acct_till) was encrypted with a key named k1 that is not configured. Append that key"
    )
    await run(Effect.flatMap(PaymentConnections, ({ disconnect }) => disconnect(orgId)))
    expect(await run(verifySecrets({ reseal: true }), keyOf("k2"))).toEqual({ secrets: 0, older: 0 })
    expect(await run(verifySecrets({ reseal: true }), both)).toEqual({ secrets: 1, older: 1 })
  })
})
