import { staffKeys, staffRevokeKey } from "@trailbook/core/actor/keyOperations"
import { notFound } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { keyHint } from "./Keys.tsx"

/** Confirmation page for revoking a key. */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { param, run, shown: { format } } = asked
    const { data } = yield* run(staffKeys, {})
    const key = data.find(({ id }) => id === param("id"))
    if (key === undefined) return yield* notFound("API key", param("id").slice(0, 40))
    const used = key.last_used_at
    return {
      title: `Revoke ${key.name}?`,
      part: "developers" as const,
      lead: <code>{keyHint(key)}</code>,
      body: (
        <Consequence
          asked={asked}
          happens={[
            "Requests with this key are rejected immediately.",
            used === null
              ? "It has never been used."
              : `It was last used on ${format.longDay(used)}, at ${format.time(used)} (${format.zone(used)}).`,
            "This cannot be undone. The application will need a new key."
          ]}
          confirm="Revoke key"
          back="/dashboard/developers"
        />
      )
    }
  })

export const act: FormAction = ({ param, run }) =>
  Effect.as(run(staffRevokeKey, { id: param("id") }), withFlash("/dashboard/developers", "revoked"))
