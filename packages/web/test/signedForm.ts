import { VisitorAccess } from "@trailbook/core/actor"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Adds the key and signed state that a page rendered now would contain, if `shown` is `now`. */
export const signedForm = (orgId: string, form: Readonly<Record<string, string>>) =>
  form["shown"] !== "now" ? Effect.succeed(form) : Effect.gen(function*() {
    const { sign } = yield* VisitorAccess
    const key = form["key"] ?? crypto.randomUUID()
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return { ...form, key, shown: `${now}.${yield* sign(orgId, `form ${key} ${now}`)}` }
  })
