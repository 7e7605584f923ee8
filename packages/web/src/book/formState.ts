import { sameDigest } from "@trailbook/core/actor/ApiKey"
import { VisitorAccess } from "@trailbook/core/actor/VisitorAccess"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { trapName } from "../ui/trapName.ts"

/** How long a form can be sent. */
const maxAgeSeconds = 24 * 60 * 60

/** The signed state of the forms of the booking page: when a form was shown, bound to its key and to the outfitter. */
export interface FormState {
  /** The state of a form that is shown now. */
  readonly make: (orgId: string, key: string) => Effect.Effect<string>
  /**
   * Whether this service showed the form within a day, and the field that people do not see is empty. How fast the form
   * comes back says nothing: a password manager fills it in within a second.
   */
  readonly isValid: (orgId: string, form: Form) => Effect.Effect<boolean>
}

export const formState = (seconds: Effect.Effect<number>): Effect.Effect<FormState, never, VisitorAccess> =>
  Effect.map(VisitorAccess, ({ sign }): FormState => {
    const signed = (orgId: string, key: string, shown: number) => sign(orgId, `form ${key} ${shown}`)
    return {
      make: (orgId, key) =>
        Effect.flatMap(
          seconds,
          (now) => Effect.map(signed(orgId, key, now), (signature) => `${now}.${signature}`)
        ),
      isValid: (orgId, form) =>
        Effect.gen(function*() {
          const [, text = "", signature = ""] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(form["shown"] ?? "") ?? []
          if (text === "" || (form[trapName] ?? "") !== "") return false
          const shown = Number(text)
          const age = (yield* seconds) - shown
          return age <= maxAgeSeconds && sameDigest(yield* signed(orgId, form["key"] ?? "", shown), signature)
        })
    }
  })
