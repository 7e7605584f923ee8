import type { Files } from "@trailbook/core/file"
import { TaskHandlers } from "@trailbook/core/handler"
import type { Checkouts, Payments } from "@trailbook/core/payment"
import type { Ids } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import type { Tasks } from "@trailbook/core/task"
import type { OperatorError } from "@trailbook/runtime/OperatorError"
import * as CheckInCodePng from "@trailbook/web/CheckInCodePng"
import * as Layer from "effect/Layer"
import { mailerLayer, type MailSettings } from "./mailerLayer.ts"

/** Returns the task handlers with the configured mailer. Links in emails start with `publicUrl`. */
export const tasksLayer = (
  settings: MailSettings,
  publicUrl: string
): Layer.Layer<Tasks, OperatorError, Storage | Checkouts | Files | Ids | Payments> =>
  TaskHandlers.layer({ publicUrl, replyDomain: settings.replyDomain }).pipe(
    Layer.provide(mailerLayer(settings)),
    Layer.provide(CheckInCodePng.layer)
  )
