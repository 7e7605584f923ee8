import { isEqualDigest, VisitorAccess } from "@trailbook/core/actor"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"

/** How long a rendered form is valid. */
const maxAgeSeconds = 24 * 60 * 60

/** A booking form's signed state. It includes the render time and is bound to the form's key and the org. */
export type FormStateSigner = Effect.Effect.Success<ReturnType<typeof makeFormStateSigner>>

export const makeFormStateSigner = (seconds: Effect.Effect<number>) =>
  Effect.map(VisitorAccess, ({ sign }) => {
    const signState = (orgId: string, key: string, shownAt: number) => sign(orgId, `form ${key} ${shownAt}`)
    return {
      /** Signs the state of a form that is being rendered. */
      make: (orgId: string, key: string) =>
        Effect.flatMap(seconds, (now) => Effect.map(signState(orgId, key, now), (signature) => `${now}.${signature}`)),
      /**
       * Whether this service rendered the form within the last 24 hours and the honeypot field is empty. The time until
       * submission is not checked, because a password manager can fill in the form within a second.
       */
      isValid: (orgId: string, form: Form) =>
        Effect.gen(function*() {
          const [, text = "", signature = ""] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(form["shown"] ?? "") ?? []
          if (text === "" || (form[honeypotName] ?? "") !== "") return false
          const shownAt = Number(text)
          const age = (yield* seconds) - shownAt
          return age <= maxAgeSeconds && isEqualDigest(yield* signState(orgId, form["key"] ?? "", shownAt), signature)
        })
    }
  })

/** The name of the honeypot field, which browsers and password managers do not autofill. */
export const honeypotName = "trail_hint"
