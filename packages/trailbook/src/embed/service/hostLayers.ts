import { Drafter, DraftFailed } from "@trailbook/core/conversation"
import { Files, FilesFailed, type PhotoResizer } from "@trailbook/core/file"
import { Mailer, MailFailed } from "@trailbook/core/mail"
import { NotificationFailed, Notifier } from "@trailbook/core/staff"
import * as FilesFolder from "@trailbook/files/FilesFolder"
import * as SharpResizer from "@trailbook/files/SharpResizer"
import { draftsLayer } from "@trailbook/runtime/service/draftsLayer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { formatHostFailure } from "../transaction/HostFunctionError.ts"
import type {
  Drafter as HostDrafter,
  Files as HostFiles,
  LanguageModel,
  Mailer as HostMailer,
  Notifier as HostNotifier
} from "./hostServices.ts"

export const drafterLayer = (
  drafter: HostDrafter | LanguageModel | undefined
): Layer.Layer<Drafter> | undefined => {
  if (drafter === undefined) return undefined
  if ("url" in drafter) {
    return draftsLayer({ draftsUrl: drafter.url, draftsModel: drafter.model, draftsKey: drafter.key })
  }
  return Layer.succeed(
    Drafter,
    Drafter.of({
      draft: (prompt) =>
        Effect.tryPromise({
          try: async () => {
            const text: unknown = await drafter.draft(prompt)
            if (typeof text !== "string") throw new TypeError("draft: must return a string")
            return text
          },
          catch: (error) => new DraftFailed({ message: formatHostFailure("drafter", error) })
        })
    })
  )
}

export const filesLayer = (files: HostFiles | string | undefined): Layer.Layer<Files | PhotoResizer> => {
  if (files === undefined) return Layer.merge(Files.layerNone, SharpResizer.layer)
  if (typeof files === "string") return Layer.merge(FilesFolder.layer({ directory: files }), SharpResizer.layer)
  const ask = <A>(call: () => Promise<A>) =>
    Effect.tryPromise({
      try: async () => call(),
      catch: (error) => new FilesFailed({ message: formatHostFailure("files", error) })
    })
  return Layer.merge(
    SharpResizer.layer,
    Layer.succeed(
      Files,
      Files.of({
        put: (key, bytes) => Effect.asVoid(ask(() => files.put(key, bytes))),
        get: (key) => Effect.map(ask(() => files.get(key)), Option.fromNullable),
        remove: (key) => Effect.asVoid(ask(() => files.remove(key)))
      })
    )
  )
}

export const mailerLayer = (mailer: HostMailer | "none"): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      send: (mail) =>
        mailer === "none"
          ? Effect.succeed({ reportRequested: false })
          : Effect.tryPromise({
            try: async () => ({ reportRequested: hasTrueFlag(await mailer.send(mail), "reportRequested") }),
            catch: (error) =>
              new MailFailed({
                message: formatHostFailure("mailer", error),
                permanent: hasTrueFlag(error, "permanent"),
                reason: "program"
              })
          })
    })
  )

/** Provides the host application's notifier. Without a notifier, staff members are notified by email. */
export const notifierLayer = (notifier: HostNotifier | undefined): Layer.Layer<never> =>
  notifier === undefined ? Layer.empty : Layer.succeed(
    Notifier,
    Notifier.of({
      tell: (notice) =>
        Effect.tryPromise({
          try: async () => void await notifier.tell(notice),
          catch: (error) =>
            new NotificationFailed({
              message: formatHostFailure("notifier", error),
              permanent: hasTrueFlag(error, "permanent")
            })
        })
    })
  )

/** Returns whether a result or error from the host application has this field set to `true`. */
const hasTrueFlag = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && Reflect.get(value, name) === true
