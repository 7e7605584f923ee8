import * as TaskHandlers from "@trailbook/core/handler/TaskHandlers"
import { lanes } from "@trailbook/core/task/Task"
import { FilesFolder } from "@trailbook/files"
import { OutboxFolder } from "@trailbook/mail"
import { deliveries, forgetting, leftovers, sweep, tasks, unusedFiles, Worker } from "@trailbook/worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const jobs = Effect.all([deliveries, ...lanes.map(tasks), sweep, leftovers, unusedFiles, forgetting])

/** Works for as long as the layer lives, over the engine that it is provided with. */
export const layer = Worker.layer({ grace: "10 seconds", jobs }).pipe(
  Layer.provide(TaskHandlers.layer({ publicUrl: "https://book.example.com" })),
  Layer.provide(FilesFolder.layer({ directory: "files" })),
  Layer.provide(OutboxFolder.layer({ directory: "outbox", from: "bookings@example.com" }))
)
