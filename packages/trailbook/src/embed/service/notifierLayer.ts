import { Notifier, NotifyFailed } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasTrueFlag } from "../hook/hasTrueFlag.ts"
import { hostFailure } from "../transaction/hostFailure.ts"
import type * as Host from "./Notifier.ts"

/** Provides the host application's notifier. Without a notifier, staff members are notified by email. */
export const notifierLayer = (notifier: Host.Notifier | undefined): Layer.Layer<never> =>
  notifier === undefined ? Layer.empty : Layer.succeed(
    Notifier,
    Notifier.of({
      tell: (notice) =>
        Effect.tryPromise({
          try: async () => void await notifier.tell(notice),
          catch: (error) =>
            new NotifyFailed({ message: hostFailure("notifier", error), permanent: hasTrueFlag(error, "permanent") })
        })
    })
  )
