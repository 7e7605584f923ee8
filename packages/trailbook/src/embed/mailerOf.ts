import { Mailer, MailFailed } from "@trailbook/core/mail/Mailer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostFailure } from "./hostFailure.ts"
import type * as Host from "./Mailer.ts"

/**
 * @category layers
 */
export const mailerOf = (mailer: Host.Mailer | "none"): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      send: (mail) =>
        mailer === "none"
          ? Effect.succeed({ reportRequested: false })
          : Effect.tryPromise({
            try: async () => ({ reportRequested: has(await mailer.send(mail), "reportRequested") }),
            catch: (error) =>
              new MailFailed({
                message: hostFailure("mailer", error),
                permanent: has(error, "permanent"),
                reason: "program"
              })
          })
    })
  )

const has = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && Reflect.get(value, name) === true
