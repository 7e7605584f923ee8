/** Guests who book, pay, pay late or twice, and cancel, on a server that can be killed at any time. */
import * as Effect from "effect/Effect"
import { line } from "../reliability/ask.ts"
import type { Dice } from "../reliability/dice.ts"
import { inStep, type MoneyServer } from "./MoneyServer.ts"

export interface Shop {
  readonly offeringId: string
  readonly sessions: ReadonlyArray<string>
}

/** Creates one booking and then pays or cancels it at random. */
export const guest = async (server: MoneyServer, { offeringId, sessions }: Shop, dice: Dice): Promise<void> => {
  const { ask } = line(server.urls, server.key, dice)
  const order = {
    offering_id: offeringId,
    session_id: dice.pick(sessions),
    customer: { email: `guest.${dice.uuid()}@example.com`, name: "Ann Bell" },
    idempotency_key: dice.uuid()
  }
  const book = () => ask({ method: "POST", path: "/bookings", body: order })
  let response = await book()
  // If the response has no checkout URL, the guest sends the same request again.
  if (response.body?.checkout_url === null) response = await book()
  const { checkout_url: address, id } = response.body ?? {}
  if (typeof id !== "string") return
  if (dice.percent(75)) await pay(server, dice, typeof address === "string" ? address.split("/").at(-1) : undefined)
  // Pay a random recent checkout, so that some checkouts are paid twice.
  if (dice.percent(15)) await pay(server, dice, undefined)
  if (dice.percent(40)) {
    await Promise.all([
      ask({ method: "POST", path: `/bookings/${id}/cancel`, body: {} }),
      ...(dice.percent(30) ? [pay(server, dice, undefined)] : [])
    ])
  }
}

/** Pays the named checkout, or one of the last 8. Each notification is delivered zero to two times, without retries. */
const pay = async (server: MoneyServer, dice: Dice, requestedId: string | undefined): Promise<void> => {
  await inStep(server)
  const { notices, pay, resent, sessions } = server.stripe.bank
  const all = await Effect.runPromise(sessions)
  const session = requestedId ?? all.at(-dice.between(1, 8))
  if (session === undefined) return
  const before = (await Effect.runPromise(notices)).length
  await Effect.runPromise(pay(session))
  for (let times = dice.pick([0, 1, 1, 2]); times > 0; times--) {
    const allNotices = await Effect.runPromise(resent)
    await Promise.all(allNotices.slice(before).map((notice) => deliver(server, notice)))
  }
}

const deliver = async (
  { connection, urls }: MoneyServer,
  { body, signature }: { readonly body: Uint8Array; readonly signature: string }
): Promise<void> => {
  for (const url of urls()) {
    await fetch(new URL(`/pay/stripe/${connection}`, url), {
      method: "POST",
      headers: { "stripe-signature": signature },
      body: new Uint8Array(body)
    }).then((answer) => answer.arrayBuffer(), () => {})
  }
}
