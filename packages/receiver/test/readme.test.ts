import type { WebhookEvent, WebhookSignatureReason } from "@trailbook/receiver"
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import worker from "./readme/worker.ts"

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
const secret = "whsec_7vQ2mXb9KcR4tYw8ZpL1sNf6HdJ3aGe5UoTiVyBnMqEx"

it("the README contains the tested program word for word", () => {
  const [, block] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
  assert.strictEqual(block, readFileSync(join(import.meta.dirname, "readme/worker.ts"), "utf8"))
})

it("the README lists every reason a signature can be rejected", () => {
  const reasons: Record<WebhookSignatureReason, true> = {
    missing: true,
    malformed: true,
    stale: true,
    future: true,
    mismatch: true
  }
  for (const reason of Object.keys(reasons)) assert.include(readme, `\`${reason}\``)
})

it("the README shows a program that accepts only events with a valid signature", async () => {
  const events: Array<WebhookEvent> = []
  const env = {
    WEBHOOK_SECRET: secret,
    INBOX: {
      send: (event: WebhookEvent) => {
        events.push(event)
        return Promise.resolve()
      }
    }
  }
  const body = JSON.stringify({ id: 1, type: "booking.held", created_at: "2026-11-18T10:26:40.000Z", data: {} })
  const time = Math.floor(Date.now() / 1000)
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")
  const ask = (headers: Record<string, string>, env_ = env) =>
    worker.fetch(new Request("https://hooks.example.com", { method: "POST", body, headers }), env_)

  assert.strictEqual((await ask({})).status, 400)
  assert.strictEqual((await ask({ "Service-Signature": `t=${time},v1=${"0".repeat(64)}` })).status, 400)
  assert.lengthOf(events, 0)
  const header = { "Service-Signature": `t=${time},v1=${signature}` }
  const unset = await ask(header, { ...env, WEBHOOK_SECRET: "" }).catch((error: unknown) => error)
  assert.instanceOf(unset, TypeError)
  assert.strictEqual((await ask(header)).status, 204)
  assert.deepStrictEqual(events.map(({ id }) => id), [1])
})
