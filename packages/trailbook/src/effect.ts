/**
 * What Trailbook is put together from, for programs that use Effect themselves.
 *
 * @since 0.1.0
 */
export { Failure } from "./command/CommandError.ts"
export { accounts } from "./runtime/accounts.ts"
export { storage } from "./runtime/adapter.ts"
export * as BookingEngine from "./runtime/BookingEngine.ts"
export * as BookingWorker from "./runtime/BookingWorker.ts"
export { call } from "./runtime/call.ts"
export { catchCode, type Codes, type WithoutCode } from "./runtime/catchCode.ts"
export { createOrg } from "./runtime/createOrg.ts"
export { engine } from "./runtime/engine.ts"
export { type LineWriter, lineWriter } from "./runtime/LineWriter.ts"
export { MissingKey } from "./runtime/MissingKey.ts"
export * as NodeIds from "./runtime/NodeIds.ts"
export * as OrgActor from "./runtime/OrgActor.ts"
export * as Webhooks from "./runtime/Webhooks.ts"
export { databaseAnswers } from "./server/databaseAnswers.ts"
export { mcpMount } from "./server/mcpMount.ts"
export { type RunningServer, runServer, type ServerOptions } from "./server/runServer.ts"
export { startServer } from "./server/startServer.ts"
export type { DatabaseUrl } from "./setting/databaseUrl.ts"
