/**
 * What Trailbook is put together from, for programs that use Effect themselves.
 *
 * @since 0.1.0
 */
export { Failure } from "./command/CommandError.ts"
export * as BookingEngine from "./layer/BookingEngine.ts"
export * as BookingWorker from "./layer/BookingWorker.ts"
export { call } from "./layer/call.ts"
export { catchCode, type Codes, type WithoutCode } from "./layer/catchCode.ts"
export { MissingKey } from "./layer/MissingKey.ts"
export * as OrgActor from "./layer/OrgActor.ts"
export * as Webhooks from "./layer/Webhooks.ts"
export { accounts } from "./runtime/accounts.ts"
export { storage } from "./runtime/adapter.ts"
export { createOrg } from "./runtime/createOrg.ts"
export { engine } from "./runtime/engine.ts"
export { type LineWriter, lineWriter } from "./runtime/LineWriter.ts"
export * as NodeIds from "./runtime/NodeIds.ts"
export { databaseAnswers } from "./server/databaseAnswers.ts"
export { mcpMount } from "./server/mcpMount.ts"
export { type RunningServer, runServer, type ServerOptions } from "./server/runServer.ts"
export { startServer } from "./server/startServer.ts"
export type { DatabaseUrl } from "./setting/databaseUrl.ts"
