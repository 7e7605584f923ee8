import { TaskHandlers } from "@trailbook/core/handler"
import { taskQueues } from "@trailbook/core/task/Task"
import { FilesFolder } from "@trailbook/files"
import { OutboxFolder } from "@trailbook/mail"
import {
  fileCleanupJob,
  holdCleanupJob,
  makeTaskJob,
  resumptionJob,
  taskCleanupJob,
  webhookDeliveryJob,
  Worker
} from "@trailbook/worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const jobs = Effect.all([
  webhookDeliveryJob,
  ...taskQueues.map((queue) => makeTaskJob(queue)),
  holdCleanupJob,
  resumptionJob,
  fileCleanupJob,
  taskCleanupJob
])

/** Runs the jobs until the layer's scope closes. Requires an engine. */
export const layer = Worker.layer({ grace: "10 seconds", jobs }).pipe(
  Layer.provide(TaskHandlers.layer({ publicUrl: "https://book.example.com" })),
  Layer.provide(FilesFolder.layer({ directory: "files" })),
  Layer.provide(OutboxFolder.layer({ directory: "outbox", from: "bookings@example.com" }))
)
