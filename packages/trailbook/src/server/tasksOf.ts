import * as TaskHandlers from "@trailbook/core/handler/TaskHandlers"
import * as Layer from "effect/Layer"
import { mailerOf, type MailSettings } from "./mailerOf.ts"

/**
 * Tasks whose mails leave as the settings say, with links that begin with
 * `publicUrl`.
 *
 * @category layers
 */
export const tasksOf = (settings: MailSettings, publicUrl: string) =>
  TaskHandlers.layer({ publicUrl, replyDomain: settings.replyDomain }).pipe(Layer.provide(mailerOf(settings)))
