import { PaymentConnections } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { keyOf, riverShop } from "../../../server/test/payments/riverShop.ts"
import { checkPayments } from "../../src/doctor/checkPayments.ts"

const shop = async (options?: Parameters<typeof riverShop>[0]) => {
  const riverSetup = await riverShop(options)
  const { database, run } = riverSetup
  const examined = (secretsKeys: string | undefined, askPayments = false) =>
    run(checkPayments({ database, secretsKeys, askPayments }))
  return { ...riverSetup, examined }
}

describe("the payment account check", () => {
  it("calls the provider only on request", async () => {
    const { examined, keys, stripe } = await shop()
    let calls = 0
    stripe.watch = async (moment) => void (calls += moment === "come" ? 1 : 0)
    const finding = "1 connected, 0 disconnected; all keys can be decrypted"
    expect(await examined(keys)).toEqual([
      { check: "payments", result: `${finding}; 1 with a test key`, fix: undefined }
    ])
    expect(calls).toBe(0)
    expect(await examined(keys, true)).toMatchObject([
      { result: `${finding}, and each was verified with its provider; 1 with a test key`, fix: undefined }
    ])
    expect(calls).toBe(1)
  })

  it("reports a lost encryption key, even for a disconnected account", async () => {
    const { examined, keys, orgId, run } = await shop({ notices: false })
    const lost = [{
      result: "the key of Test Till (acct_till) cannot be decrypted",
      fix: expect.stringContaining("SECRETS")
    }]
    expect(await examined(keyOf("k2"))).toMatchObject(lost)
    // The first start would create a key, which cannot decrypt the stored account keys.
    expect(await examined(undefined)).toMatchObject([
      {
        result: "1 encrypted account keys exist, but no encryption key is configured",
        fix: expect.stringContaining("SECRETS")
      }
    ])
    await run(Effect.flatMap(PaymentConnections, ({ disconnect }) => disconnect(orgId)))
    expect(await examined(keyOf("k2"))).toMatchObject(lost)
    expect(await examined(keys)).toMatchObject([{
      result: "0 connected, 1 disconnected; all keys can be decrypted",
      fix: undefined
    }])
  })

  it("reports a refused account or an unreachable provider", async () => {
    const { examined, keys, run, stripe } = await shop()
    await run(stripe.bank.fail("broken"))
    expect(await examined(keys, true)).toMatchObject([
      { result: expect.stringContaining("Test Till (acct_till): Stripe"), fix: expect.stringContaining("connect") }
    ])
    await stripe.close()
    expect(await examined(keys, true)).toMatchObject([{ result: expect.stringContaining("Test Till (acct_till): ") }])
    expect(await examined(keys)).toMatchObject([{ fix: undefined }])
  })
})
