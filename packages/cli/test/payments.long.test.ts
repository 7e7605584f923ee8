import { PaymentConnectionStore } from "@trailbook/core/payment"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { keyOf, riverShop } from "../../server/test/payments/riverShop.ts"
import { answer, database, folder, outfitter, trailbook } from "./program.ts"

/** Connects an account without a webhook endpoint, so that disconnecting it does not call the provider. */
const connectAccount = async () => {
  const { connected, cwd, orgId, run } = await riverShop({ notices: false })
  return { connected, cwd, env: { TRAILBOOK_SECRETS_KEYS: keyOf("k1") }, orgId, run }
}

describe("payments", () => {
  it("lists the connections, and never shows a secret", async () => {
    const { connected: { id }, cwd, env } = await connectAccount()
    const { data } = await answer(["payments", "status", ...database], { cwd, env })
    expect(data).toMatchObject([
      { id, provider: "stripe", mode: "test", account_id: "acct_till", name: "Test Till", notices: false }
    ])
    expect(JSON.stringify(data)).not.toMatch(/sk_test|sealed|v1\./)
    const { stdout } = await trailbook(["payments", "status", ...database], { cwd, env })
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 4))).toMatchObject([
      ["ACCOUNT", "NAME", "MODE", "WEBHOOKS"],
      ["stripe acct_till", "Test Till", "test", "no"],
      [""]
    ])
  })

  it("disconnects an account only once, and retains its sealed key", async () => {
    const { cwd, env, orgId, run } = await connectAccount()
    const { stdout } = await trailbook(["payments", "disconnect", ...database], { cwd, env })
    expect(stdout).toBe("Disconnected Test Till (acct_till).\n")
    const again = await trailbook(["payments", "disconnect", ...database], { cwd, env })
    expect(again).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("has no connected payment account")
    })
    const [connection] = await run(Effect.flatMap(PaymentConnectionStore, ({ list }) => list(orgId)))
    expect(connection).toMatchObject({ sealedKey: expect.stringContaining("k1"), disconnectedAt: expect.any(Number) })
    const { data } = await answer(["payments", "status", ...database], { cwd, env })
    expect(data).toMatchObject([{ disconnected_at: expect.any(String) }])
  })

  it("lists, reconciles, and disconnects nothing if no account is connected", async () => {
    const cwd = folder()
    await outfitter(cwd)
    expect(await answer(["payments", "status", ...database], { cwd })).toEqual({ data: [] })
    expect((await trailbook(["payments", "status", ...database], { cwd })).stderr).toContain("payments connect")
    expect(await answer(["payments", "reconcile", ...database], { cwd })).toEqual({
      accounts: 0,
      happened: 0,
      news: 0,
      failed: 0
    })
    expect(await trailbook(["payments", "disconnect", ...database], { cwd })).toMatchObject({ code: 1, stdout: "" })
  })

  it("reports invalid input before it calls the provider", async () => {
    const cwd = folder()
    await outfitter(cwd)
    const runRejected = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await trailbook(["payments", ...args], { cwd })
      expect(stdout).toBe("")
      return { code, stderr }
    }
    expect(await runRejected("connect", ...database)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--payment-key")
    })
    const url = ["--public-url", "ftp://example.com"]
    expect(await runRejected("connect", ...database, "--payment-key", "sk_test_1", ...url)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--public-url")
    })
    expect(await runRejected("connect", ...database, "--payment-key", "sk_test_1", "--org", "nobody")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Unknown outfitter \"nobody\". Outfitters: salida-river-co.")
    })
    expect(await runRejected("connect", "--database", "sqlite:b.sqlite", "--payment-key", "sk_test_1")).toMatchObject({
      code: 1
    })
    for (const days of ["0", "31", "1.5", "many"]) {
      expect(await runRejected("reconcile", ...database, "--days", days)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--days")
      })
    }
    const postgres = ["--database", "postgres://127.0.0.1:1/trailbook"]
    for (const command of [["connect", "--payment-key", "sk_test_1"], ["disconnect"], ["reconcile"]]) {
      expect(await runRejected(...command, ...postgres)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("TRAILBOOK_SECRETS_KEYS is not set")
      })
    }
  })
})
