import { TaskHandlers } from "@trailbook/core/handler"
import * as CheckInPng from "@trailbook/web/CheckInPng"
import * as Layer from "effect/Layer"
import { mailerLayer, type MailSettings } from "./mailerLayer.ts"

/** Returns the task handlers with the configured mailer. Links in emails start with `publicUrl`. */
export const tasksLayer = (settings: MailSettings, publicUrl: string) =>
  TaskHandlers.layer({ publicUrl, replyDomain: settings.replyDomain }).pipe(
    Layer.provide(mailerLayer(settings)),
    Layer.provide(CheckInPng.layer)
  )
