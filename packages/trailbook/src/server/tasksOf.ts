import * as TaskHandlers from "@trailbook/core/handler/TaskHandlers"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import * as Layer from "effect/Layer"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { outboxOf } from "./outboxOf.ts"

/**
 * Tasks whose mails are written to the outbox folder, with links that begin
 * with `publicUrl`.
 *
 * @category layers
 */
export const tasksOf = (
  options: { readonly database: DatabaseUrl; readonly outbox: string | undefined; readonly mailFrom: string },
  publicUrl: string
) =>
  TaskHandlers.layer({ publicUrl }).pipe(
    Layer.provide(OutboxFolder.layer({ directory: outboxOf(options), from: options.mailFrom }))
  )
